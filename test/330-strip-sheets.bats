# <style> sheets: what rules hide, set apart and break.

load helper

# page CSS BODY: the text that bid-strip shows of a page.
page() {
  printf '<html><head><style%s>%s</style></head><body>%s</body></html>\n' "${3-}" "$1" "$2" >page.htm
  bid-strip --raw page.htm | jq -r .text
}

@test "rules by class, id, tag and tag with class hide what a browser hides" {
  equal "$(page '.x, #y {display:none} b.z { visibility : hidden } s{DISPLAY:NONE !important}' \
    '<p class=x>1</p><p class="a X b">2</p><div id=y>3<p>4</p></div><b class=z>5</b><s>6</s><i class=z>7</i><p>8</p>')" $'7\n\n8'
  equal "$(page '.gone{display:none}' '<table><tr><td>a<td class=gone>b<td>c</tr><tr class=gone><td>d<td>e<td>f</tr></table>')" "a c"
  equal "$(page '.a.b{display:none}' '<p class=a>one</p><p class="b c a">both</p>')" "one"
}

@test "the stronger rule and the later one win, an attribute over both" {
  equal "$(page '#i{display:block} .x{display:none} p{display:none}' '<p class=x id=i>id</p><div class=x>class</div>')" "id"
  equal "$(page '.x{display:none} .x{display:block}' '<p class=x>later</p>')" "later"
  equal "$(page '.x{display:none}' '<p class=x style="display:block">by attribute</p><p class=x style="color:red">no</p>')" "by attribute"
  equal "$(page 'td{}' '<p hidden style="display:block">a</p><p style="display:block" hidden>b</p><p hidden>c</p>')" $'a\n\nb'
}

@test "rules that are not understood hide nothing" {
  equal "$(page 'div p{display:none} a:hover{display:none} p[x]{display:none} p>b{display:none} p::before{display:none} *{display:none}' \
    '<div><p x>Shown <b>all</b> <a href=x>of it</a></p></div>')" "Shown all of it"
  equal "$(page 'body{display:none} html.js{visibility:hidden}' '<p>A script would show it.</p>')" "A script would show it."
  equal "$(page '.x{display:none' '<p class=x>cut off</p><p>rest</p>')" "rest"
  equal "$(page '}}{{.x{;:;}@media{@media @' '<p class=x>junk</p>')" "junk"
}

@test "comments, marks of comments and other at-rules are passed over" {
  equal "$(page '<!-- /* .a{display:none} */ @import url(x.css); @charset "u"; @font-face{font-family:x;src:url(y)}
@page{margin:0} @keyframes k{from{top:0}to{top:1}} /* } */ .b/* , .a */{display:none} -->' '<p class=a>a</p><p class=b>b</p>')" "a"
}

@test "rules in @media hide nothing, nor does a sheet for print" {
  equal "$(page '@media print{.a{display:none}} @media screen{.b{display:none}} .c{display:none}' \
    '<p class=a>a</p><p class=b>b</p><p class=c>c</p>')" $'a\n\nb'
  equal "$(page '.a{display:none}' '<p class=a>a</p>' ' media=print')" "a"
  equal "$(page '.a{display:none}' '<p class=a>a</p><p>b</p>' ' media="screen, print"')" "b"
}

@test "bold, centred headings and page breaks by class are headings and pages" {
  page '.h{font-weight:700;text-align:center} .pb{page-break-after:always} .np{page-break-before:always}' \
    '<p class=h>Risks of anvils</p><p>They fall.</p><div class=pb>End of one.</div><p>Two.</p><p class=np>Three.</p>
<p class=np style="page-break-before:auto">Still three.</p>' >/dev/null
  equal "$(bid-strip --raw page.htm | jq -c '[[.outline[] | .title, .level], [.text as $t | .breaks[] | $t[.offset:.offset + 3], .page]]')" \
    '[["Risks of anvils",3],["###",1,"Two",2,"Thr",3]]'
}

@test "a sheet of many rules and a page of many elements stay quick" {
  { echo '<html><style>'; for i in $(seq 9000); do echo ".x{color:red} .c$i, p.x#i$i{font-weight:bold}"; done
    echo '.late{display:none}</style>'
    for i in $(seq 20000); do echo "<p class='x c$i' id=i$i>w$i</p>"; done; } >many.htm
  run timeout 20 bid-strip --raw many.htm
  [ "$status" -eq 0 ]
  equal "$(jq -r .text <<<"$output" | grep -c '^w')" 20000
}

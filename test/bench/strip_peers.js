// strip_peers.js PARSER FILE...: HTML to text with a library for Node, for test/bench/strip.sh.
//
// Parsers: htmlparser2 (events, no tree), cheerio (a tree).  They are looked for in .venv-bench/node_modules and where
// node looks itself.  With no FILE: status 0 where the parser is installed.
'use strict';
const fs = require('fs');
const path = require('path');

const load = (name) =>
  require(require.resolve(name, {paths: [path.join(__dirname, '../../.venv-bench'), __dirname, process.cwd()]}));

const parsers = {
  htmlparser2() {
    const {Parser} = load('htmlparser2');
    return (html) => {
      const out = [];
      const parser = new Parser({ontext: (text) => out.push(text)});
      parser.end(html);
      return out.join('');
    };
  },
  cheerio() {
    const {load: parse} = load('cheerio');
    return (html) => parse(html).root().text();
  },
};

const read = parsers[process.argv[2]]();
for (const name of process.argv.slice(3)) process.stdout.write(read(fs.readFileSync(name, 'utf8')));

#!/usr/bin/env python3
"""Speak to bid-mcp with the client of PyPI's `mcp` and print what came, one JSON object a line.

usage: mcp_client.py MODE STEP... -- COMMAND [ARGUMENT]...

MODE is a protocol revision, or auto.  Steps: tools, call:TOOL:ARGUMENTS (JSON), progress:TOOL:ARGUMENTS (with
progress told), cancel:TOOL:ARGUMENTS (after a second), read:URI.
"""
import asyncio
import json
import os
import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client


def show(step, **what):
    print(json.dumps({"step": step, **what}), flush=True)


async def call(client, step, tool, arguments):
    result = await client.call_tool(tool, json.loads(arguments))
    links = [c.uri for c in result.content if c.type == "resource_link"]
    show(step, error=result.is_error, text=result.content[0].text, structured=result.structured_content, links=[str(u) for u in links])


async def progress(client, tool, arguments):
    told = []

    async def on_progress(done, total, message):
        told.append([done, message])

    result = await client.call_tool(tool, json.loads(arguments), progress_callback=on_progress)
    show("progress", error=result.is_error, told=told)


async def cancel(client, tool, arguments):
    with anyio.move_on_after(1) as scope:
        await client.call_tool(tool, json.loads(arguments))
    show("cancel", cancelled=scope.cancelled_caught)


async def take(client, step):
    kind, _, rest = step.partition(":")
    if kind == "tools":
        result = await client.list_tools()
        show("tools", names=[t.name for t in result.tools], schemas=all(t.input_schema and t.output_schema for t in result.tools))
    elif kind == "read":
        try:
            result = await client.read_resource(rest)
            show("read", text=result.contents[0].text)
        except MCPError as e:
            show("read", code=e.error.code)
    else:
        tool, _, arguments = rest.partition(":")
        if kind == "call":
            await call(client, "call", tool, arguments)
        elif kind == "progress":
            await progress(client, tool, arguments)
        else:
            await cancel(client, tool, arguments)


async def main(mode, steps, command):
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    kept = {"mode": mode} if mode != "default" else {}
    async with Client(stdio_client(server), **kept) as client:
        show("begin", version=client.protocol_version, server=client.server_info.name if client.server_info else None)
        for step in steps:
            await take(client, step)


if __name__ == "__main__":
    cut = sys.argv.index("--")
    asyncio.run(main(sys.argv[1], sys.argv[2:cut], sys.argv[cut + 1:]))

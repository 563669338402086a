#!/usr/bin/env node
// An agent that does what it is told, one JSON line of its terminal each:
//   {"hook": {"hook_event_name": …}}   runs the hooks that its settings have for that event, as Claude Code and Gemini CLI do
//   {"nested": {…}}                    starts an agent of its own, as a tool command does, whose hooks run for that event
//   {"status": {…}}                    writes Claude's status file of this process
//   {"print": "text"}                  puts text out
//   {"exit": 3}                        ends
// Any other line is a prompt, which it shows as PROMPT and begins nothing with; an empty one as EMPTY.
// Says READY and its arguments at the start, and DONE behind every line.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
const settingsFile = args.includes('--settings') ? args[args.indexOf('--settings') + 1] : process.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH;
const settings = settingsFile === undefined ? {} : JSON.parse(readFileSync(settingsFile, 'utf8'));
const sessions = join(process.env.CLAUDE_CONFIG_DIR ?? join(process.env.HOME, '.claude'), 'sessions');
const statusFile = join(sessions, `${process.pid}.json`);

function runHooks(payload) {
  const groups = settings.hooks?.[payload.hook_event_name] ?? [];
  for (const { command } of groups.flatMap((group) => group.hooks)) {
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { input: JSON.stringify(payload) });
    if (status !== 0 || stdout.length + stderr.length > 0) console.log(`HOOK FAILED ${status} ${stdout} ${stderr}`);
  }
  if (groups.length === 0) console.log(`NO HOOK FOR ${payload.hook_event_name}`);
}

function obey({ hook, nested, status, print, exit }) {
  if (hook) runHooks(hook);
  if (nested) {
    // The colon keeps the shell from giving way to the agent.
    const words = [process.execPath, process.argv[1], '--settings', settingsFile, '--once', JSON.stringify(nested)];
    spawnSync('/bin/sh', ['-c', '"$@"; :', 'sh', ...words], { stdio: ['ignore', 'inherit', 'inherit'] });
  }
  if (status) {
    mkdirSync(sessions, { recursive: true });
    writeFileSync(statusFile, JSON.stringify({ pid: process.pid, ...status }));
  }
  if (print) process.stdout.write(print);
  if (exit !== undefined) {
    rmSync(statusFile, { force: true });
    process.exit(exit);
  }
}

if (args.includes('--once')) {
  runHooks(JSON.parse(args[args.indexOf('--once') + 1]));
  process.exit();
}
// Lines of JSON would be cut by the terminal at 4,095 bytes, and be echoed.
process.stdin.setRawMode?.(true);
console.log(`READY ${JSON.stringify(args)}\r`);
let count = 0;
for await (const line of createInterface({ input: process.stdin, terminal: false })) {
  if (!line.startsWith('{')) {
    console.log(line.trim() === '' ? 'EMPTY\r' : `PROMPT ${line}\r`);
    continue;
  }
  obey(JSON.parse(line));
  count += 1;
  console.log(`DONE ${count}\r`);
}

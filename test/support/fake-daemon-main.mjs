// Stands in for the daemon's entry point: says and does what FAKE tells, and leaves what it saw in its state directory.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const state = process.env.MAESTRO_STATE_DIR ?? '';
const socket = join(state, 'run', 'maestro.sock');
const log = (level, msg, fields = {}) =>
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), msg, ...fields })}\n`);
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const host = {
  version: '0.1.0',
  host_name: 'fake',
  home: '/',
  state_dir: state,
  leader: 'C-b',
  listen: '127.0.0.1:7433',
  tmux_socket: join(state, 'run', 'tmux.sock'),
  tmux_version: '3.3a',
  pid: process.pid,
  uptime_seconds: 90,
  sessions: { running: 2, dead: 0, dormant: 1 },
};

mkdirSync(join(state, 'run'), { recursive: true });
const seen = { argv: process.argv.slice(2), cwd: process.cwd(), env: process.env, pid: process.pid, signals: [] };
const save = () => writeFileSync(join(state, 'seen.json'), JSON.stringify(seen));
save();

function end() {
  server.close();
  server.closeAllConnections();
  log(30, 'stopped');
}

/** A slow one waits for a file called `go`. */
function endWhenAllowed() {
  if (process.env.FAKE === 'slow' && !existsSync(join(state, 'go'))) setTimeout(endWhenAllowed, 10);
  else end();
}

const server = createServer((request, response) => {
  if (request.url === '/api/host') response.end(JSON.stringify(host));
  else if (request.url === '/api/shutdown') {
    response.writeHead(202).end('{}');
    setImmediate(end);
  } else response.writeHead(404).end();
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    seen.signals.push(signal);
    save();
    endWhenAllowed();
  });
}

log(30, 'starting');
if (process.env.FAKE === 'refuse') {
  say({ error: { code: 'invalid_request', message: 'config.toml:3: leader: expected a key' } });
  process.exitCode = 1;
} else if (process.env.FAKE === 'crash') {
  log(60, 'cannot go on');
  process.exitCode = 70;
} else {
  server.listen(socket, () => {
    const recovered = { adopted: 2, dormant: 1, dead: 0 };
    say({ ready: true, listen: host.listen, socket, pid: process.pid, warnings: ['an odd thing'], recovered });
    if (process.env.FAKE === 'die') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);
  });
}

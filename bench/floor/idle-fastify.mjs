// Node with fastify and nothing else: what a daemon on them needs at least.
import fastify from 'fastify';

const server = fastify();
server.get('/', async () => 'ok');
await server.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ listen: `127.0.0.1:${server.server.address().port}` }));

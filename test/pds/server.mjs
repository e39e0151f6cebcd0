// The real server of the AT Protocol with a directory of DIDs, both on loopback; prints their addresses and the accounts, and ends with its parent.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, PlcServer } from '@did-plc/server';
import { envToCfg, envToSecrets, PDS } from '@atproto/pds';
import { fetch } from 'undici';

const PASSWORD = randomBytes(12).toString('hex');
const folder = mkdtempSync(join(tmpdir(), 'fanfare-pds-'));

const plcPort = await freePort();
const directory = PlcServer.create({ db: Database.mock(), port: plcPort });
await directory.start();
const plcUrl = `http://localhost:${plcPort}`;

const port = await freePort();
const env = {
  devMode: true,
  port,
  hostname: 'localhost',
  dataDirectory: folder,
  blobstoreDiskLocation: join(folder, 'blobs'),
  recoveryDidKey: undefined,
  didPlcUrl: plcUrl,
  serviceHandleDomains: ['.test'],
  inviteRequired: false,
  disableSsrfProtection: true,
  jwtSecret: randomBytes(16).toString('hex'),
  adminPassword: randomBytes(16).toString('hex'),
  plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString('hex'),
  dpopSecret: randomBytes(32).toString('hex'),
  rateLimitsEnabled: true,
};
const pds = await PDS.create(envToCfg(env), envToSecrets(env));
// A page at the origin of the server: the only pages on this machine of which the adapter makes cards.
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PAGE = '<title>Ada &amp; Grace</title><meta name=description content="Live!"><meta property=og:image content=card.png>';
pds.app.get('/ada', (_request, response) => response.type('html').send(PAGE));
pds.app.get('/card.png', (_request, response) => response.type('png').send(Buffer.from(PNG, 'base64')));
await pds.start();
const url = `http://localhost:${port}`;

const accounts = {};
for (const name of ['ada', 'grace']) accounts[name] = await createAccount(name);

process.stdout.write(`${JSON.stringify({ url, plcUrl, accounts })}\n`);
process.stdin.resume();
process.stdin.once('end', () => void stop());

async function createAccount(name) {
  const handle = `${name}.test`;
  const account = await ask('com.atproto.server.createAccount', { handle, email: `${name}@mail.test`, password: PASSWORD });
  const made = await ask('com.atproto.server.createAppPassword', { name: 'fanfare' }, account.accessJwt);
  return { did: account.did, handle, appPassword: made.password };
}

async function ask(method, json, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${url}/xrpc/${method}`, { method: 'POST', headers, body: JSON.stringify(json) });
  if (!response.ok) throw new Error(`${method} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}

async function stop() {
  await pds.destroy();
  await directory.destroy();
  rmSync(folder, { recursive: true, force: true });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}

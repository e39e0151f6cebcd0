import { AtpAgent, Agent } from '@atproto/api';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { openBluesky } from './open-bluesky.ts';

test('a handle leads to a DID, the DID to its document, and that to the repository', async () => {
  await using ground = await openBluesky();
  const agent = new AtpAgent({ service: ground.sandbox.url });
  const handle = ground.environment['BLUESKY_HANDLE'] ?? '';

  const { did } = (await agent.resolveHandle({ handle })).data;
  const response = await request(`${ground.environment['BLUESKY_PLC_URL']}/${did}`);
  const document = (await response.body.json()) as { service: { id: string; serviceEndpoint: string }[] }; // the directory answers documents

  expect(did).toMatch(/^did:plc:[a-z2-7]{24}$/);
  expect(document).toMatchObject({ id: did, alsoKnownAs: [`at://${handle}`] });
  expect(document.service).toEqual([{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: ground.sandbox.url }]);
  const described = await new Agent(document.service[0]?.serviceEndpoint ?? '').com.atproto.repo.describeRepo({ repo: did });
  expect(described.data).toMatchObject({ did, handle, handleIsCorrect: true, didDoc: { id: did } });
});

test('the name of a host tells the DID of its handle', async () => {
  await using ground = await openBluesky();
  const { did, handle } = await ground.account('ada');
  const asked = async (host: string) => {
    const { statusCode, body } = await request(`${ground.sandbox.url}/.well-known/atproto-did`, { headers: { host } });
    return [statusCode, await body.text()];
  };

  expect(await asked(handle)).toEqual([200, did]);
  expect((await asked('nobody.sandbox.test'))[0]).toBe(404);
});

test('nobody is nobody', async () => {
  await using ground = await openBluesky();
  const agent = new AtpAgent({ service: ground.sandbox.url });
  const nobody = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';

  await expect(agent.resolveHandle({ handle: 'nobody.sandbox.test' })).rejects.toMatchObject({ status: 400, error: 'HandleNotFound' });
  await expect(agent.com.atproto.identity.resolveDid({ did: nobody })).rejects.toMatchObject({ error: 'DidNotFound' });
  await expect(agent.com.atproto.repo.describeRepo({ repo: nobody })).rejects.toMatchObject({ status: 400, error: 'InvalidRequest' });
  expect((await request(`${ground.environment['BLUESKY_PLC_URL']}/${nobody}`)).statusCode).toBe(404);
});

test('the server says who it is and what it takes', async () => {
  await using ground = await openBluesky();
  const { data } = await new AtpAgent({ service: ground.sandbox.url }).com.atproto.server.describeServer();

  expect(data).toMatchObject({ availableUserDomains: ['.sandbox.test'], inviteCodeRequired: false });
  expect(data.did).toBe(`did:web:127.0.0.1%3A${new URL(ground.sandbox.url).port}`);
});

test('the same account has the same DID at every start, and everybody has a handle of their own', async () => {
  await using one = await openBluesky();
  await using other = await openBluesky();
  const { people } = one.sandbox.world;
  const accounts = await Promise.all(people.slice(0, 100).map(({ id }) => one.account(id)));

  expect((await other.account('ada')).did).toBe((await one.account('ada')).did);
  expect(new Set(accounts.map(({ handle }) => handle)).size).toBe(100);
  for (const { handle } of accounts) expect(handle).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?\.sandbox\.test$/);
});

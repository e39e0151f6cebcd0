import { createPrivateKey, createPublicKey } from 'node:crypto';

/** Ids are the same in every sandbox, so that rules and tests can use them. */
export const GUILD_ID = '1202584131993600001';
/** The second guild belongs to another shard. */
export const SECOND_GUILD_ID = '1202584131997794305';
/** The id of the application and of its bot user. */
export const APPLICATION_ID = '1202584131993600002';

/** The token of the bot. It works only in a sandbox. */
export const BOT_TOKEN = `${Buffer.from(APPLICATION_ID).toString('base64url')}.fanfare.sandbox`;

/** The client secret of the application, for the sign-in of users. */
export const CLIENT_SECRET = 'fanfare-sandbox-client-secret';

/** The signing key of all sandboxes: PKCS #8 with a constant seed. */
export const SIGNING_KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 0x5a)]),
  format: 'der',
  type: 'pkcs8',
});

/** The public key of the application. */
export const PUBLIC_KEY = createPublicKey(SIGNING_KEY).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

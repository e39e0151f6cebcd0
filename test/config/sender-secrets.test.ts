import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSenderSecrets } from '#src/config/webhooks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRET = 'tr0ub4dor-0123456789';
const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('a webhook has its secret, its kind and its header by its name', () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'token'), `${SECRET}\n`);
  const secrets = readSenderSecrets({
    FANFARE_WEBHOOK_MY_SHOP_SECRET: SECRET,
    FANFARE_WEBHOOK_MY_SHOP_HEADER: 'X-Shop-Signature',
    FANFARE_WEBHOOK_KOFI_TOKEN_FILE: join(folder.path, 'token'),
    FANFARE_WEBHOOK_EMPTY_SECRET: '',
    FANFARE_WEBHOOK_EMPTY_HEADER: '',
  });

  expect(secrets).toEqual(
    new Map([
      ['my-shop', { kind: 'signature', secret: SECRET, header: 'x-shop-signature' }],
      ['kofi', { kind: 'token', secret: SECRET }],
    ]),
  );
});

test.for([
  ['two secrets', { FANFARE_WEBHOOK_KOFI_SECRET: SECRET, FANFARE_WEBHOOK_KOFI_TOKEN: SECRET }, 'two secrets'],
  ['a short secret', { FANFARE_WEBHOOK_KOFI_SECRET: 'tr0ub4dor' }, 'at least 16 characters'],
  ['a file that is not there', { FANFARE_WEBHOOK_KOFI_SECRET_FILE: '/nowhere/tr0ub4dor' }, 'cannot be read'],
  ['a header with a token', { FANFARE_WEBHOOK_KOFI_TOKEN: SECRET, FANFARE_WEBHOOK_KOFI_HEADER: 'X-Sign' }, 'only a signature has a header'],
  ['a header without a secret', { FANFARE_WEBHOOK_KOFI_HEADER: 'X-Sign' }, 'only a signature has a header'],
  ['a header of a signed time', { FANFARE_WEBHOOK_KOFI_SECRET: WHSEC, FANFARE_WEBHOOK_KOFI_HEADER: 'X-Sign' }, 'has its own headers'],
  ['a header that is none', { FANFARE_WEBHOOK_KOFI_SECRET: SECRET, FANFARE_WEBHOOK_KOFI_HEADER: 'X Sign' }, 'not the name of a header'],
] as const)('%s is an error without the secret', ([, variables, message]) => {
  const read = () => readSenderSecrets(variables);

  expect(read).toThrow(message);
  expect(read).not.toThrow('tr0ub4dor');
});

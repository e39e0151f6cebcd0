import { expect, test } from 'vitest';
import { createPasswords } from '#src/admin/access/passwords.ts';

const QUICK = { ln: 4, r: 1, p: 1 };

test('a hash contains the parameters that OWASP recommends, and another program computes the same', async () => {
  const hash = await createPasswords().hash('correct horse battery');

  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/u);
  // The test vector of RFC 7914, section 12, with the first 32 bytes.
  const vector = '$scrypt$ln=10,r=8,p=16$TmFDbA$_bq-HJ00cgB4VucZDQHp_nxq18vII3gw53N2Y0s3MWI';
  expect(await createPasswords().verify('password', vector)).toBe(true);
});

test('a hash stays valid when the cost changes, and only for its password', async () => {
  const old = await createPasswords(QUICK).hash('Straße und ﬁlm');
  const passwords = createPasswords({ ln: 5, r: 2, p: 1 });

  expect(await Promise.all(['Straße und film', 'strasse und film', ''].map((typed) => passwords.verify(typed, old)))).toEqual([
    true,
    false,
    false,
  ]);
  expect(await passwords.verify('anything', undefined)).toBe(false);
  expect(await createPasswords(QUICK).hash('same')).not.toBe(await createPasswords(QUICK).hash('same'));
});

test('hashes are computed one after the other, and many waiting ones are reported', async () => {
  const passwords = createPasswords(QUICK);
  const all = Array.from({ length: 20 }, () => passwords.verify('x', undefined));

  expect(passwords.isBusy()).toBe(true);
  await Promise.all(all);
  expect(passwords.isBusy()).toBe(false);
});

import { expect, test } from 'vitest';
import { createAccess } from '#src/admin/access/access.ts';
import { createPasswords } from '#src/admin/access/passwords.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const OPERATOR = { name: 'root', via: 'cli', role: 'admin' } as const;
const PASSWORD = 'correct horse battery';

test.for(['a new password', 'the removal of the person'])('%s ends a sign-in whose password is still checked', async (end) => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const quick = createPasswords({ ln: 4, r: 1, p: 1 });
  let onChecked = async (): Promise<unknown> => undefined;
  const access = createAccess({
    store: await store.openAccess(),
    auditLog: store.auditLog,
    clock,
    passwords: {
      ...quick,
      async verify(password, hash) {
        const isRight = await quick.verify(password, hash);
        await onChecked();
        return isRight;
      },
    },
  });
  await access.addPerson({ name: 'Ada', role: 'editor', password: PASSWORD }, OPERATOR);
  const signIn = () => access.signIn({ name: 'ada', password: PASSWORD, address: '192.0.2.7' });

  expect(await signIn()).toMatchObject({ person: { name: 'Ada' } });
  onChecked = () =>
    end === 'a new password'
      ? access.changePassword({ person: 'ada', password: 'battery staple correct' }, OPERATOR)
      : access.removePerson({ person: 'ada' }, OPERATOR);

  expect(await signIn()).toEqual({ refused: 'wrong' });
});

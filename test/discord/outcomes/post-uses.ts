import type { Fixture } from './fixture.ts';
import { below, cannot, CHOICES, command, componentIn, idIn, messageOf, NO_BUTTON, NO_INPUT, run, type Prepare, type Use } from './use.ts';

const GONE = '00000000-0000-4000-8000-000000000000';
const POST = { text: 'Hello from Fanfare', accounts: 'sandbox' };
const previewed = run('post now', POST);

/** A waiting post. */
async function scheduled(fixture: Fixture): Promise<string> {
  const preview = await run('post schedule', { ...POST, time: 'in 3 days' })(fixture);
  const [, id = ''] = /post:send:([^"]+)"/u.exec(JSON.stringify(preview.message?.components)) ?? [];
  await fixture.act({ message: messageOf(preview), customId: `post:send:${id}`, forged: true });
  return id;
}

const ofPost =
  (action: string): Prepare =>
  async (fixture) =>
    below(run('post queue'), `post:${action}:${await scheduled(fixture)}`)(fixture);
const oldPost = (action: string): Prepare => below(run('post queue'), `post:${action}:${GONE}`);

/** Posts to the social accounts. */
export const POSTS: readonly Use[] = [
  { use: '/post now', right: command('post now', POST), wrong: command('post now', { ...POST, accounts: 'myspace' }), old: NO_BUTTON },
  {
    use: '/post schedule',
    right: command('post schedule', { ...POST, time: 'in 3 days' }),
    wrong: command('post schedule', { ...POST, time: 'whenever' }),
    old: NO_BUTTON,
  },
  { use: '/post queue', right: command('post queue', POST), wrong: command('post queue', { ...POST, link: 'no link' }), old: NO_BUTTON },
  {
    use: '/post cancel',
    right: async (fixture) => ({ command: 'post cancel', options: { post: await scheduled(fixture) } }),
    wrong: command('post cancel', { post: 'nothing' }),
    old: NO_BUTTON,
  },
  { use: 'post:edit', right: componentIn(previewed, 'post:edit'), wrong: NO_INPUT, old: oldPost('edit') },
  { use: 'post:send', isRetried: true, right: componentIn(previewed, 'post:send'), wrong: NO_INPUT, old: oldPost('send') },
  { use: 'post:drop', right: componentIn(previewed, 'post:drop'), wrong: NO_INPUT, old: oldPost('drop') },
  {
    use: 'post:long',
    right: componentIn(run('post now', { ...POST, text: 'Hello '.repeat(300) }), 'post:long'),
    wrong: NO_INPUT,
    old: oldPost('long'),
  },
  {
    use: 'post:accounts',
    // The preview has the menu only if there are several accounts.
    async right(fixture) {
      const preview = await previewed(fixture);
      const id = idIn(preview, 'post:send').replace('post:send', 'post:accounts');
      return { message: messageOf(preview), customId: id, values: ['sandbox'] };
    },
    wrong: CHOICES,
    old: oldPost('accounts'),
  },
  {
    use: 'post:text',
    async right(fixture) {
      const { id } = await fixture.act({ command: 'post now', options: { accounts: 'sandbox' } });
      return { modal: id, customId: 'post:text', fields: { text: 'Hello' } };
    },
    wrong: cannot('every text has a preview, which names its problems'),
    old: cannot('the preview of the form is kept for a day'),
  },
  { use: 'post:list', right: below(run('post queue'), 'post:list:0'), wrong: NO_INPUT, old: oldPost('list') },
  {
    use: 'post:pick',
    async right(fixture) {
      const id = await scheduled(fixture);
      return { message: messageOf(await run('post queue')(fixture)), customId: 'post:pick', values: [id] };
    },
    wrong: CHOICES,
    async old(fixture) {
      const id = await scheduled(fixture);
      const message = messageOf(await run('post queue')(fixture));
      await fixture.act({ command: 'post cancel', options: { post: id } });
      return { message, customId: 'post:pick', values: [id] };
    },
  },
  { use: 'post:move', right: ofPost('move'), wrong: NO_INPUT, old: oldPost('move') },
  {
    use: 'post:moved',
    async right(fixture) {
      const order = await ofPost('move')(fixture);
      const { id } = await fixture.act({ ...order, forged: true });
      return { modal: id, customId: 'post:moved', fields: { time: 'in 4 days' } };
    },
    async wrong(fixture) {
      const order = await ofPost('move')(fixture);
      const { id } = await fixture.act({ ...order, forged: true });
      return { modal: id, customId: 'post:moved', fields: { time: 'whenever' } };
    },
    old: cannot('the button that opens it refuses first'),
  },
  { use: 'post:revise', right: ofPost('revise'), wrong: NO_INPUT, old: oldPost('revise') },
  {
    use: 'post:revised',
    async right(fixture) {
      const { id } = await fixture.act({ ...(await ofPost('revise')(fixture)), forged: true });
      return { modal: id, customId: 'post:revised', fields: { text: 'Hello again' } };
    },
    async wrong(fixture) {
      const { id } = await fixture.act({ ...(await ofPost('revise')(fixture)), forged: true });
      return { modal: id, customId: 'post:revised', fields: { text: ' ' } };
    },
    old: cannot('the button that opens it refuses first'),
  },
  // The message shows the post as waiting or as sent, whichever comes first.
  { use: 'post:now', isRetried: true, isData: true, right: ofPost('now'), wrong: NO_INPUT, old: oldPost('now') },
  { use: 'post:back', right: ofPost('back'), wrong: NO_INPUT, old: oldPost('back') },
];

import { Argument, type Command } from 'commander';
import { z } from 'zod';
import type { RunningProcess } from '#src/admin/actions/running-process.ts';
import { toWaitingPostAnswer, WaitingPostAnswer } from '#src/admin/queries/waiting-post-answer.ts';
import type { SentPost } from '#src/engine/posting/posting.ts';
import { refuseOthers, type ActionArguments } from './action-arguments.ts';
import { answering, type Answer } from './answering.ts';
import { shortId } from './delivery-names.ts';
import { document } from './document.ts';
import { instantText, oneLine } from './format.ts';
import { localZone } from './local-zone.ts';
import { operator } from './operator.ts';
import { Refusal } from './refusal.ts';
import type { Terminal } from './terminal.ts';
import { typedTime } from './typed-time.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('posts'), {
    group: 'operate',
    summary: 'List, edit, move and cancel waiting posts',
    description: [
      'List the posts that people wrote with /post in Discord and that are not sent yet.',
      'edit: replace the text or the content warning. move: change the time. cancel: do not send the post. These actions reach the process at HOST and PORT.',
    ],
    examples: [
      ['List the waiting posts', 'fanfare posts'],
      ['Correct a text', 'fanfare posts edit 5b0c7a52 --text "Doors open at six!"'],
      ['Send a post later', 'fanfare posts move 5b0c7a52 --at "tomorrow 18:00"'],
      ['Cancel a post', 'fanfare posts cancel 5b0c7a52'],
    ],
    exits: ['The posts are listed, or the post is changed', 'There is no such post, it has begun, or Fanfare does not run or answer'],
  })
    .addArgument(new Argument('[action]', 'What to do').default('list').choices(['list', 'edit', 'move', 'cancel']))
    .argument('[post]', 'Id from the list; its first characters are enough')
    .option('--text <text>', 'With edit: the new text')
    .option('--warning <text>', 'With edit: the content warning; an empty text is the default of each account')
    .option('--at <time>', 'With move: the new time, for example "in 2h" or "tomorrow 9:00"');
  answering(command, {
    schema: PostsAnswer,
    out,
    needsRun: true,
    async run(shown, action: Action, post: string | undefined, options: ChangeOptions) {
      refuseOthers(command, action, TAKES[action]);
      if (action !== 'list' && post === undefined) command.error('error: name the post');
      if (action === 'move' && options.at === undefined) command.error("error: required option '--at <time>' not specified");
      if (action === 'edit' && options.text === undefined && options.warning === undefined)
        command.error('error: give the new --text or --warning');
      const at = options.at === undefined ? undefined : typedTime(options.at, '--at');
      const { waitingPosts } = await import('#src/app/waiting-posts.ts');
      const waiting = await waitingPosts(process.env);
      const timezone = localZone();
      if (action === 'list' || post === undefined) return listPosts({ waiting, timezone, out: shown });
      const { openRunning } = await import('#src/app/open-running.ts');
      const running = openRunning(process.env, operator());
      return await changePost({ running, waiting, action, post, ...options, at, timezone, out: shown });
    },
  });
}

type Action = 'list' | 'edit' | 'move' | 'cancel';

const TAKES: Readonly<Record<Action, ActionArguments>> = {
  list: { most: 0 },
  edit: { most: 1, options: ['--text', '--warning'] },
  move: { most: 1, options: ['--at'] },
  cancel: { most: 1 },
};

interface ChangeOptions {
  readonly text?: string | undefined;
  readonly warning?: string | undefined;
  readonly at?: string | undefined;
}

const PostsAnswer = z.union([
  z.object({ posts: z.array(WaitingPostAnswer).readonly().describe('The waiting posts, the next one first.') }).describe('With `list`.'),
  z.object({ post: WaitingPostAnswer.describe('The changed post.') }).describe('With `edit`, `move` and `cancel`.'),
]);

type Result = Answer<z.input<typeof PostsAnswer>>;

interface ListOptions {
  readonly waiting: readonly SentPost[];
  /** The zone of the shown times. */
  readonly timezone: string;
  readonly out: Terminal;
}

export function listPosts({ waiting, timezone, out }: ListOptions): Result {
  if (waiting.length === 0) out.print('There are no waiting posts.');
  for (const { id, at, by, targets, text } of waiting) {
    const accounts = targets.map(({ account }) => account).join(', ');
    out.print(`${shortId(id)}  ${instantText(at, timezone)}  ${oneLine(`${by.name} to ${accounts}: ${text}`)}`);
  }
  return { data: { posts: waiting.map(toWaitingPostAnswer) } };
}

export interface ChangePostOptions extends ListOptions, Omit<ChangeOptions, 'at'> {
  readonly running: RunningProcess;
  readonly action: Exclude<Action, 'list'>;
  /** The beginning of the id. */
  readonly post: string;
  readonly at?: Date | undefined;
}

/** The answer of the API. */
const Changed = WaitingPostAnswer.extend({ at: z.coerce.date() });

/** Changes a waiting post. Throws a refusal if there is no such post, or if the process refuses the change. */
export async function changePost({ running, action, at, text, warning, timezone, out, ...named }: ChangePostOptions): Promise<Result> {
  const found = findPost(named);
  const bodies = {
    // The person saw the text in the list, so another edit since then is not overwritten.
    edit: { text: text ?? found.text, ...(warning !== undefined && { warning }), edits: found.edits },
    move: { at },
    cancel: {},
  };
  const post = await running.post(`/api/waiting-posts/${encodeURIComponent(found.id)}/${action}`, bodies[action], Changed);
  const name = out.paint('green', shortId(post.id));
  // The first post of a thread may have been sent before the others were cancelled.
  const sent = post.targets.filter(({ state, url }) => state !== 'skipped' || url !== undefined).map(({ account }) => account);
  if (action !== 'cancel') out.print(`${name} is sent at ${instantText(post.at, timezone)}: ${oneLine(post.text)}`);
  else if (sent.length === 0) out.print(`${name} is cancelled.`);
  else out.print(`${name} is cancelled, but it was too late for ${sent.join(', ')}.`);
  return { data: { post } };
}

function findPost({ post, waiting }: Pick<ChangePostOptions, 'post' | 'waiting'>): SentPost {
  const [found, other] = waiting.filter(({ id }) => id.startsWith(post) || shortId(id) === post);
  const hint = 'To list the waiting posts: fanfare posts';
  if (!found) throw new Refusal(`there is no waiting post ${post}`, { code: 'postNotFound', hint });
  if (other) throw new Refusal(`several ids begin with ${post}: enter more characters`, { code: 'ambiguousId', hint });
  return found;
}

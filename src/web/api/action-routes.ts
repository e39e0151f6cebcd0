import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { ACTIONS, type ActionDeclaration, type ActionName } from '#src/admin/actions/declarations.ts';
import type { RecordName } from './records.ts';
import { problem, record, WRITE_PROBLEMS } from './responses.ts';

/** What the route of an action answers. */
const ANSWERS: Readonly<Record<ActionName, readonly [of: RecordName, about: string]>> = {
  pauseRule: ['ChangedRules', 'The rule is paused.'],
  resumeRule: ['ChangedRules', 'The rule is not paused.'],
  runRule: ['RuleRun', 'What the run decided. A run that another person started answers both.'],
  announceItem: ['RequestedAnnouncement', 'What the request did. An item is announced once, however often it is requested.'],
  setValue: ['RuleValue', 'The stored value. The next firing of the rule continues from it.'],
  testRule: ['RuleTest', 'The results of the tests beside the rule file.'],
  previewRule: ['Preview', 'The messages that the rule would send. Nothing is sent.'],
  replayRule: ['Replay', 'The messages that the rule would have sent, beside those that were sent. Nothing is sent.'],
  resendDelivery: ['Delivery', 'The delivery is sent again.'],
  resolveDelivery: ['Delivery', 'The delivery with its new state.'],
  answerDelivery: ['Delivery', 'The question with its answer. The message loses its buttons.'],
  muteItem: ['Delivery', 'The delivery, whose item has no further announcements until its episode ends.'],
  publishVersion: ['Publication', 'The version in force, with what changed.'],
  rollBackVersion: ['Publication', 'The new version, which repeats the earlier one.'],
  deleteRule: ['Publication', 'The new version without the rule.'],
  addListEntries: ['ListEdit', 'The change with the new entries.'],
  changeListEntry: ['ListEdit', 'The change with the entry.'],
  removeListEntries: ['ListEdit', 'The change.'],
  importList: ['ListEdit', 'The change with the imported entries.'],
  deleteList: ['ListEdit', 'The change, which removed all entries.'],
  undoListChange: ['ListEdit', 'The change that undoes the other one, with the entries as before.'],
  configureServer: ['Server', 'The server with its settings.'],
  editPost: ['WaitingPost', 'The post with the new text.'],
  movePost: ['WaitingPost', 'The post with the new time.'],
  cancelPost: ['WaitingPost', 'The cancelled post. If it was too late for some accounts, `targets` shows them.'],
  signInAccount: ['SignIn', 'Who is signed in, or the page on which a person confirms the sign-in.'],
  confirmAccount: ['ConfirmedSignIn', 'Who is signed in. The tokens are stored encrypted.'],
  signOutAccount: ['Account', 'The account, whose stored tokens are deleted.'],
  createToken: ['NewToken', 'The token with its text. Fanfare stores only a hash of the text.'],
  revokeToken: ['Token', 'The revoked token.'],
  addPerson: ['Person', 'The person, who can sign in.'],
  changeRole: ['Person', 'The person with the new role, which applies at once.'],
  changePassword: ['Person', 'The person, whose sessions have ended.'],
  removePerson: ['Person', 'The person who was removed, and whose sessions have ended.'],
  signOutPerson: ['Person', 'The person, whose sessions have ended.'],
};

/** The header of a write that may be repeated. */
export const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text that you choose for this request. If you repeat the request with the same key within 24 hours, you get the same answer, and the action is not done again.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
} as const;

const MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the rule that you read. If another person changed or paused the rule since then, the answer is 412.',
  schema: { type: 'string' },
} as const;

/** The lists that targets are in. */
const LISTS: Readonly<Record<string, string>> = {
  rule: 'rules',
  delivery: 'deliveries',
  token: 'tokens',
  person: 'people',
  version: 'versions',
  account: 'accounts',
  list: 'lists',
  server: 'servers',
  post: 'waiting-posts',
};

type Place = readonly [method: 'post' | 'patch' | 'delete', path: string];

/** The routes of actions that create a target, or change or delete a part of it. */
const PLACES: Readonly<Partial<Record<ActionName, Place>>> = {
  publishVersion: ['post', '/api/versions'],
  createToken: ['post', '/api/tokens'],
  addPerson: ['post', '/api/people'],
  changeRole: ['patch', '/api/people/{person}'],
  addListEntries: ['post', '/api/lists/{list}/entries'],
  changeListEntry: ['patch', '/api/lists/{list}/entries/{entry}'],
  removeListEntries: ['delete', '/api/lists/{list}/entries'],
  deleteList: ['delete', '/api/lists/{list}'],
  undoListChange: ['post', '/api/list-changes/{change}/undo'],
};

/** The place of an action: `pauseRule` is `POST /api/rules/{rule}/pause`. */
function placeOf(name: ActionName): Place {
  const { target }: ActionDeclaration = ACTIONS[name];
  const verb = name.replace(new RegExp(`${target}$`, 'iu'), '').replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  return PLACES[name] ?? ['post', `/api/${LISTS[target]}/{${target}}/${verb}`];
}

export function actionRoute(name: ActionName) {
  const { summary, input, target, needs, undo, hasSecret = false }: ActionDeclaration = ACTIONS[name];
  const [method, path] = placeOf(name);
  // The revision comes with If-Match.
  const { revision: _, ...fields } = input.shape;
  const isInPath = ([field]: readonly [string, unknown]): boolean => path.includes(`{${field}}`);
  const inPath = Object.entries(fields).filter(isInPath);
  const inBody = Object.entries(fields).filter((one) => !isInPath(one));
  const [of, about] = ANSWERS[name];
  const isOfRule = target === 'rule';
  const body = z.strictObject(Object.fromEntries(inBody.map(([field, schema]) => [field, ofJson(schema)])));
  return createRoute({
    method,
    path,
    operationId: name,
    summary,
    description: `${summary}. It needs the role \`${needs}\`.${undo === undefined ? '' : ` \`${undo}\` undoes it.`}`,
    parameters: [...(hasSecret ? [] : [KEY]), ...(isOfRule ? [MATCH] : [])],
    request: {
      params: z.object(Object.fromEntries(inPath)),
      // Every write has a body, because its content type is a protection against requests of other web sites.
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      200: record(of, about),
      ...WRITE_PROBLEMS,
      ...(isOfRule && { 412: problem('Another person changed the rule since you read it.') }),
    },
  });
}

/** The form of a field in JSON: a date is a text. */
function ofJson(schema: z.core.$ZodType): z.ZodType {
  const isOptional = schema instanceof z.ZodOptional;
  const inner = isOptional ? schema.unwrap() : schema;
  if (!(inner instanceof z.ZodDate)) return schema as z.ZodType; // every schema of zod is one
  const date = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
  const { description = '' } = z.globalRegistry.get(schema) ?? z.globalRegistry.get(inner) ?? {};
  return isOptional ? date.optional().describe(description) : date.describe(description);
}

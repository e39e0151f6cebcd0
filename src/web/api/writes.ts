import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ACTIONS, type ActionDeclaration, type ActionName } from '#src/admin/actions/declarations.ts';
import { includesRole, type Actor, type Role } from '#src/admin/actions/actor.ts';
import type { KeptAnswer } from '#src/admin/actions/repeated-requests.ts';
import { Problem } from '#src/web/problem.ts';
import { TO_ANSWER, type ActContext } from './act.ts';
import type { ApiEnv, ApiOptions } from './operations.ts';
import { createAnswerOnce, type AnswerOnce } from './idempotency.ts';
import { WRITES } from './routes.ts';

/** An action with the types of all actions. */
type AnyAction = (input: object, by: Actor) => Promise<unknown>;
type AnyAnswer = (result: unknown, input: object, context: ActContext) => object | Promise<object>;

export function serveActions(api: OpenAPIHono<ApiEnv>, { actions, queries, findDelivery, repeatedRequests, clock }: ApiOptions): void {
  const answerOnce = createAnswerOnce(repeatedRequests, clock);
  /** The revision of a rule, if it is one of the tags; undefined with `*`, which every rule matches. */
  async function matching(rule: string, tags: string): Promise<string | undefined> {
    const revision = await queries.revision(rule);
    const isAny = tags.trim() === '*';
    if (revision === undefined || !(isAny || tags.split(',').some((tag) => tag.trim() === `"${revision}"`))) throw CHANGED;
    return isAny ? undefined : revision;
  }

  for (const name of Object.keys(WRITES) as ActionName[]) {
    // the keys of a record are its names
    const act = actions[name] as AnyAction; // the route checks the input of the action with its schema
    const toAnswer = TO_ANSWER[name] as AnyAnswer; // of the same action
    const {
      target,
      needs,
      input: { shape },
      hasSecret = false,
    }: ActionDeclaration = ACTIONS[name];
    // The role comes first: the answer to a wrong body tells more than the role permits.
    api.use(WRITES[name].getRoutingPath(), async (c, next) => {
      if (c.req.method === WRITES[name].method.toUpperCase()) requireRole(c.env.actor, needs);
      return next();
    });
    api.openapi(WRITES[name], async (c) => {
      const { actor } = c.env;
      const input = { ...c.req.valid('param'), ...c.req.valid('json') };
      const make = async (): Promise<KeptAnswer> => {
        // The action goes on if the sender disconnects, because it may ask for the answer again.
        const tags = target === 'rule' ? c.req.header('if-match') : undefined;
        const revision = tags === undefined ? undefined : await matching(String(Reflect.get(input, target)), tags);
        // An action that changes the revision compares it again in its transaction.
        const result = await act({ ...input, ...('revision' in shape && { revision }) }, actor);
        return { status: 200, body: JSON.stringify(await toAnswer(result, input, { queries, findDelivery })) };
      };
      if (hasSecret && keyOf(c) !== undefined) throw NOT_REPEATABLE;
      return answerWrite(c, { content: [name, input], make, answerOnce });
    });
  }
}

interface Write {
  /** What must be the same in a repeat. */
  readonly content: readonly unknown[];
  readonly make: () => Promise<KeptAnswer>;
  readonly answerOnce: AnswerOnce;
}

/** Answers a write. A repeat with the same key gets the answer of the first request. */
export async function answerWrite(c: Context<ApiEnv>, { content, make, answerOnce }: Write): Promise<Response> {
  const { actor } = c.env;
  const key = keyOf(c);
  return toResponse(
    key === undefined ? await make() : await answerOnce({ actor: actor.id ?? `${actor.via}:${actor.name}`, key, content }, make),
  );
}

/** Throws a {@link Problem} if the actor has no right to a route. */
export function requireRole({ role }: Actor, needs: Role): void {
  if (includesRole(role, needs)) return;
  throw new Problem({ status: 403, code: 'roleMissing', detail: `This needs the role ${needs}.` });
}

const CHANGED = new Problem({
  status: 412,
  code: 'changed',
  detail: 'Another person changed the rule since you read it. Read it again.',
});

const NOT_REPEATABLE = new Problem({
  status: 400,
  code: 'keyNotAllowed',
  detail: 'This action takes no Idempotency-Key: Fanfare would have to store a secret to repeat its answer.',
});

function keyOf(c: Context): string | undefined {
  const key = c.req.header('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new Problem({ status: 400, code: 'invalidKey', detail: 'An Idempotency-Key has 1 to 200 visible ASCII characters.' });
}

function toResponse({ status, body }: KeptAnswer): Response {
  return new Response(body, { status, headers: { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' } });
}

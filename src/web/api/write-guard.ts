import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isJson, isWrite, NO_JSON } from '#src/web/host-check.ts';
import { answerProblem, Problem } from '#src/web/problem.ts';

/** The text of the largest rule, or of the largest stored value, in JSON. */
const LARGEST_BYTES = 1024 * 1024;
/** 10,000 rules of 2 kB. */
const LARGEST_RULES_BYTES = 20 * 1024 * 1024;

/** The YAML text of the largest list, in JSON. */
const LARGEST_LIST_BYTES = 4 * 1024 * 1024;

const TOO_LARGE = new Problem({ status: 413, code: 'tooLarge', detail: 'The body is larger than any body of this API.' });

const limitOf = (maxSize: number): MiddlewareHandler => bodyLimit({ maxSize, onError: (c) => answerProblem(c, TOO_LARGE) });
const [limit, rulesLimit, listsLimit] = [limitOf(LARGEST_BYTES), limitOf(LARGEST_RULES_BYTES), limitOf(LARGEST_LIST_BYTES)];

/** Refuses bodies that are no JSON, and large ones. */
export const writeGuard: MiddlewareHandler = async (c, next) => {
  if (!isWrite(c)) return next();
  if (!isJson(c)) return answerProblem(c, NO_JSON);
  if (c.req.path.startsWith('/api/lists/')) return listsLimit(c, next);
  return c.req.path === '/api/versions' ? rulesLimit(c, next) : limit(c, next);
};

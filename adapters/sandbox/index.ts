import { memoize } from '#src/clients/operation/memoize.ts';
import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { httpClient, type HttpClient } from '#src/http/client.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { Log } from '#src/log.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import { inRound } from '#src/http/shared-reads.ts';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { catalogueOf, type Declared, type DeclaredWrite } from '#src/clients/operation/declared.ts';
import type { PageOptions, RecoverOptions, Recovery } from '#src/clients/operation/platform.ts';
import { missingFiles } from '#src/clients/social/files.ts';
import { uploadMedia } from '#src/clients/social/posts.ts';
import { platformTopics, type SocialPlatform } from '#src/clients/social/social.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import { capabilities, TEXT_LIMIT } from './capabilities.ts';
import { LIMITS, type Uploads, uploadsOver } from './uploads.ts';

/** The schema of a record in JSON, where instants are text. The parsed record contains `Date`s. */
export function overJson<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return rewritten(schema) as z.ZodType<T>; // the output type is the same
}

/** The schemas of records over JSON, by their schema. Many operations have the same record, and a process can have many clients. */
const rewritten = memoize(rewrite);

function rewrite(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDate) return z.iso.datetime().transform((text) => new Date(text));
  if (schema instanceof z.ZodOptional) return z.optional(rewritten(schema.unwrap()));
  if (schema instanceof z.ZodArray) return arrayOf(rewritten(schema.element));
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(rewritten));
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape: z.core.$ZodShape = schema.shape;
  return z.object(Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, rewritten(field)])));
}

export interface SandboxOptions {
  /** The URL of the API, such as `http://127.0.0.1:8081/social/api`. */
  readonly url: string;
  readonly token: string;
  readonly account?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** The rate limits, which several processes can share; absent: the adapter counts its requests in memory. */
  readonly rateBudgets?: RateBudgets | undefined;
}

const PLATFORM = 'sandbox';

/** The social platform of the sandbox. It has every declared operation without those of the assistant. */
export function sandbox({ url, token, account = PLATFORM, clock = systemClock, log, rateBudgets }: SandboxOptions): SocialPlatform {
  const headers = { authorization: `Bearer ${token}` };
  assertServerAddresses(PLATFORM, { url });
  assertCredentials(PLATFORM, { url, token }, '`npx fanfare sandbox` prints SANDBOX_URL and SANDBOX_TOKEN');
  const http = httpClient({ platform: PLATFORM, baseUrl: url, clock, log, rateBudgets, headers });
  const declared = [...catalogueOf({ social: platformTopics }).values()];
  const writes = declared.filter((operation) => operation.kind === 'write');
  const uploads = uploadsOver({
    send: sending(http, uploadMedia.declared),
    find: recovery(http, uploadMedia.declared),
    accountOrigin: new URL(url).origin,
    clock,
  });

  return {
    name: PLATFORM,
    account,
    inRound,
    keepsKeys: true,
    textLimit: TEXT_LIMIT,
    missingParts: (params, { signal }) =>
      missingFiles(params, (source) => readMedium(source, { limits: LIMITS, accountOrigin: new URL(url).origin, signal })),
    // The operations have the names of the declarations.
    operations: {
      ...Object.fromEntries(declared.map((operation) => [operation.name, primitive(http, operation, uploads)])),
      uploadMedia: uploads.uploadMedia,
    },
    recover: Object.fromEntries(
      writes.filter(({ effect }) => effect === 'creates').map((operation) => [operation.name, recovery(http, operation)]),
    ),
    capabilities,
  };
}

type Primitive<R> = (params: object, options: PageOptions & WriteOptions) => Promise<R>;

function primitive(http: HttpClient, operation: Declared, { uploaded }: Uploads): Primitive<unknown> {
  const send = sending(http, operation);
  return operation.kind === 'write' ? async (params, options) => send(await uploaded(params, options), options) : send;
}

function sending<R>(http: HttpClient, operation: DeclaredWrite<unknown, R>): Primitive<R>;
function sending(http: HttpClient, operation: Declared): Primitive<unknown>;
function sending(http: HttpClient, operation: Declared): Primitive<unknown> {
  const { name, kind } = operation;
  const answer =
    kind === 'list' ? z.object({ items: arrayOf(overJson(operation.item)), cursor: z.string().optional() }) : overJson(operation.returns);
  const idempotent = kind !== 'write' || operation.effect === 'sets';
  return async (params, { cursor, key, since, signal }) => {
    const response = await http.request({ method: 'POST', path: `/${name}`, json: { params, cursor, key, since }, idempotent, signal });
    return response.json(answer);
  };
}

/** Recovers a write by its key. The platform stores all keys, so the answer is never unknown. */
function recovery<R>(
  http: HttpClient,
  { name, returns }: DeclaredWrite<unknown, R>,
): (params: object, options: RecoverOptions) => Promise<Recovery<R>> {
  const answer = z.object({ found: overJson(returns).optional() });
  return async (params, { key, since, signal }) => {
    const response = await http.request({
      method: 'POST',
      path: `/${name}/recover`,
      json: { params, key, since },
      idempotent: true,
      signal,
    });
    const { found } = response.json(answer);
    return found === undefined ? 'absent' : { found };
  };
}

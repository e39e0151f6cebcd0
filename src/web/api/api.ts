import { OpenAPIHono } from '@hono/zod-openapi';
import { etag } from 'hono/etag';
import { includesRole } from '#src/admin/actions/actor.ts';
import type { AuditEntry } from '#src/admin/actions/audit-log.ts';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { z } from 'zod';
import { DecisionAnswer, DeliveryAnswer, documented, RulesVersionAnswer } from '#src/admin/queries/answers.ts';
import { ServerAnswer, toServerAnswer } from '#src/admin/queries/server-answer.ts';
import { shownDelivery } from '#src/admin/queries/deliveries.ts';
import { toDeliveryDetails } from '#src/admin/queries/delivery-details.ts';
import { toEpisodeAnswer } from '#src/admin/queries/episode-answer.ts';
import { toItemAnswer } from '#src/admin/queries/item-answer.ts';
import { toWaitingPostAnswer } from '#src/admin/queries/waiting-post-answer.ts';
import { toRuleAnswer } from '#src/admin/queries/rule-answer.ts';
import { answerError, answerNotFound } from '#src/web/answers.ts';
import { isWrite } from '#src/web/host-check.ts';
import { answerProblem, noDelivery, noRule, Problem } from '#src/web/problem.ts';
import { ActionAnswer } from '#src/admin/queries/action-answers.ts';
import { ListAnswer, ListChangeAnswer, ListSummaryAnswer } from '#src/admin/queries/list-answers.ts';
import { listReaders } from '#src/admin/queries/list-readers.ts';
import { searchStreamers } from '#src/admin/queries/streamer-search.ts';
import { toCheckAnswer } from '#src/admin/doctor/check-answer.ts';
import { toAboutAnswer } from '#src/admin/queries/about-answer.ts';
import { AccountAnswer, ChannelSignInAnswer, PersonAnswer, TokenAnswer, type SessionAnswer } from '#src/admin/queries/access-answers.ts';
import { describeApi } from './description.ts';
import { events, type Events } from './events.ts';
import type { ApiEnv, ApiOptions } from './operations.ts';
import { READS, STREAMS } from './routes.ts';
import { serveSandbox } from './serve-sandbox.ts';
import { writeGuard } from './write-guard.ts';
import { requireRole, serveActions } from './writes.ts';

/** The HTTP API. */
export interface Api extends Pick<Events, 'lastEventId'> {
  /** The routes under `/api`. */
  readonly routes: OpenAPIHono<ApiEnv>;
}

/** Creates the routes of the API. */
export function createApi(options: ApiOptions): Api {
  const { log, sandboxOrigin } = options;
  const api = new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw toProblem(result.target, result.error);
    },
  });
  api.use(methodNotAllowed({ app: api, onMethodNotAllowed: (c, methods) => answerProblem(c, notAllowed(c.req.method, methods)) }));
  api.use(writeGuard);
  serveReads(api, options);
  serveActions(api, options);
  if (sandboxOrigin !== undefined) serveSandbox(api, { ...options, origin: sandboxOrigin });
  const { routes, lastEventId } = events(options);
  api.route('/', routes);
  let description: string | undefined;
  api.openapi(STREAMS.getDescription, (c) => {
    description ??= JSON.stringify(describeApi({ hasSandbox: sandboxOrigin !== undefined }));
    return c.body(description, 200, { 'Content-Type': 'application/json' });
  });
  api.notFound(answerNotFound);
  api.onError((error, c) => answerError(error, c, log));
  return { routes: api, lastEventId };
}

/** The rules on a page, by default. */
const MOST_RULES = 100;

function serveReads(
  api: OpenAPIHono<ApiEnv>,
  {
    apiQueries,
    lists: listQueries,
    loadedRules,
    streaming,
    queries,
    findDelivery,
    failedAttempts,
    auditLog,
    versions,
    servers,
    waitingPosts,
    accounts,
    accountUsage,
    channelSignIn,
    people,
    tokens,
    storedSchema,
    checks,
  }: ApiOptions,
): void {
  for (const route of Object.values(READS)) if (304 in route.responses) api.use(route.getRoutingPath(), etag());

  for (const { path } of [READS.listPeople, READS.listTokens])
    api.use(path, async (c, next) => {
      // A write on the same path states its role.
      if (!isWrite(c)) requireRole(c.env.actor, 'admin');
      return next();
    });
  const withReaders = <L extends { readonly list: string }>(one: L) => ({ ...one, ...listReaders(one.list, loadedRules) });
  // The texts of waiting posts are not public.
  api.use(READS.listWaitingPosts.path, (c, next) => (requireRole(c.env.actor, 'editor'), next()));
  api.openapi(READS.listWaitingPosts, async (c) => c.json({ items: (await waitingPosts()).map(toWaitingPostAnswer) }));
  // Each read sends requests to the platforms, which bill them or allow a number a day. Rules need the rest.
  for (const { path } of [READS.searchStreamers, READS.listLive, READS.listPosts, READS.listMessages])
    api.use(path, (c, next) => (requireRole(c.env.actor, 'editor'), next()));
  api.openapi(READS.searchStreamers, async (c) => {
    return c.json(await searchStreamers(c.req.valid('query').name, { streaming, signal: c.req.raw.signal }));
  });
  api.openapi(READS.getStatus, async (c) => c.json(await apiQueries.status()));
  api.openapi(READS.getAbout, async (c) => c.json(toAboutAnswer(await storedSchema())));
  // The checks send requests to all platforms.
  api.use(READS.listChecks.path, (c, next) => (requireRole(c.env.actor, 'admin'), next()));
  api.openapi(READS.listChecks, async (c) => c.json({ items: (await checks(c.req.raw.signal)).map(toCheckAnswer) }));
  // The same path begins a sign-in, which needs the same role.
  api.use(READS.getChannelSignIn.getRoutingPath(), (c, next) => (requireRole(c.env.actor, 'admin'), next()));
  api.openapi(READS.getChannelSignIn, async (c) => {
    const { account } = c.req.valid('param');
    return c.json(documented(ChannelSignInAnswer, (await channelSignIn(account)) ?? noSignIn(account)));
  });
  api.openapi(READS.getSession, (c) => c.json(toSession(c.env)));
  api.openapi(READS.listVersions, async (c) => c.json({ items: (await versions()).map((one) => documented(RulesVersionAnswer, one)) }));
  api.openapi(READS.listServers, async (c) =>
    c.json({ items: (await servers()).map((one) => documented(ServerAnswer, toServerAnswer(one))) }),
  );
  api.openapi(READS.listAccounts, async (c) => {
    const items = (await accounts()).map(async (one) => {
      const signingIn = one.channel === true && (await channelSignIn(one.account))?.state === 'waiting';
      return documented(AccountAnswer, { ...one, ...(signingIn && { signingIn }) });
    });
    return c.json({ items: await Promise.all(items) });
  });
  api.openapi(READS.listAccountUsage, async (c) => c.json({ items: [...(await accountUsage(c.req.valid('param').account))] }));
  api.openapi(READS.listPeople, async (c) => c.json({ items: (await people()).map((one) => documented(PersonAnswer, one)) }));
  api.openapi(READS.listTokens, async (c) => c.json({ items: (await tokens()).map((one) => documented(TokenAnswer, one)) }));
  api.openapi(READS.listRules, async (c) => {
    const { text, state, page, limit } = c.req.valid('query');
    if ([text, state, page, limit].every((one) => one === undefined))
      return c.json({ items: (await apiQueries.rules()).map(toRuleAnswer), version: apiQueries.rulesVersion() });
    const query = { search: text, state, page: page ?? 1, size: limit ?? MOST_RULES, order: 'id', isCounted: true } as const;
    const { items, ...numbers } = await apiQueries.rulePage(query);
    return c.json({ items: items.map(toRuleAnswer), ...numbers });
  });
  const noRuleOf = async (rule: string) => {
    const gone = (await queries.gone()).find(({ id }) => id === rule);
    return noRule(rule, queries, gone);
  };
  api.openapi(READS.getRule, async (c) => {
    const { rule } = c.req.valid('param');
    const revision = await queries.revision(rule);
    const [found] = await queries.views([rule]);
    if (!found) return noRuleOf(rule);
    return c.json(toRuleAnswer(found), 200, { ETag: `"${revision}"` });
  });
  api.openapi(READS.explainRule, async (c) => {
    const { rule } = c.req.valid('param');
    return c.json((await queries.details(rule)) ?? (await noRuleOf(rule)));
  });
  api.openapi(READS.listEpisodes, async (c) => {
    const { items, cursor } = await apiQueries.episodes({ ...c.req.valid('param'), ...c.req.valid('query') });
    return c.json({ items: items.map(toEpisodeAnswer), cursor });
  });
  api.openapi(READS.listDecisions, async (c) => {
    const { items, cursor } = await apiQueries.decisions(c.req.valid('query'));
    return c.json({ items: items.map((item) => documented(DecisionAnswer, item)), cursor });
  });
  api.openapi(READS.listDeliveries, async (c) => {
    const { items, cursor } = await apiQueries.deliveries(c.req.valid('query'));
    return c.json({ items: items.map((item) => documented(DeliveryAnswer, item)), cursor });
  });
  api.openapi(READS.exportDeliveries, async (c) => {
    const { format, ...filters } = c.req.valid('query');
    const { deliveriesExport } = await import('./deliveries-export.ts');
    return deliveriesExport(apiQueries, { format, filters });
  });
  api.openapi(READS.getDelivery, async (c) => {
    const { delivery } = c.req.valid('param');
    const found = await findDelivery(delivery);
    if (!found) return noDelivery(delivery);
    return c.json(toDeliveryDetails(shownDelivery(found, loadedRules.now.rules), await failedAttempts(delivery)));
  });
  api.openapi(READS.explainItem, async (c) => {
    const { item, limit } = c.req.valid('query');
    return c.json(toItemAnswer(await queries.explainItem(item.trim(), limit)));
  });
  api.openapi(READS.listActions, async (c) => {
    const { items, cursor } = await auditLog.list(c.req.valid('query'));
    const shown = includesRole(c.env.actor.role, 'admin') ? items : items.map(withoutAddress);
    return c.json({ items: shown.map((item) => documented(ActionAnswer, item)), cursor });
  });
  api.openapi(READS.listLists, async (c) =>
    c.json({ items: (await listQueries.lists()).map((one) => documented(ListSummaryAnswer, withReaders(one))) }),
  );
  api.openapi(READS.getList, async (c) => {
    const ref = { ...c.req.valid('param'), ...c.req.valid('query') };
    return c.json(documented(ListAnswer, withReaders((await listQueries.list(ref)) ?? noList(ref.list))));
  });
  api.openapi(READS.exportList, async (c) => {
    const ref = { ...c.req.valid('param'), ...c.req.valid('query') };
    const yaml = (await listQueries.export(ref)) ?? noList(ref.list);
    return c.body(yaml, 200, { 'Content-Type': 'application/yaml; charset=utf-8' });
  });
  api.openapi(READS.listListChanges, async (c) => {
    const { items, cursor } = await listQueries.changes(c.req.valid('query'));
    return c.json({ items: items.map((item) => documented(ListChangeAnswer, item)), cursor });
  });
  api.openapi(READS.listLive, async (c) => c.json({ items: await apiQueries.live() }));
  api.openapi(READS.listPosts, async (c) => c.json({ items: await apiQueries.posts() }));
  api.openapi(READS.listMessages, async (c) => c.json({ items: (await apiQueries.messages()).filter(({ author }) => author.self) }));
}

function toSession({ actor: { name, id, role, via }, formToken }: ApiEnv['Bindings']): z.output<typeof SessionAnswer> {
  const signedInWith = id === undefined ? 'loopback' : via === 'api' ? 'token' : id.startsWith('discord:') ? 'discord' : 'password';
  return { name, id, role, signedInWith, csrfToken: formToken };
}

function noSignIn(account: string): never {
  throw new Problem({ status: 404, code: 'signInNotFound', detail: `Nobody began to sign in to the channel of ${account} on the page.` });
}

/** An entry without the address of a person: only admins see who may sign in. The origin of an action in Discord is a server. */
function withoutAddress({ by: { origin, ...by }, ...entry }: AuditEntry): AuditEntry {
  return { ...entry, by: by.via === 'discord' ? { ...by, origin } : by };
}

function noList(list: string): never {
  throw new Problem({ status: 404, code: 'listNotFound', detail: `There is no list ${list}.` });
}

function notAllowed(method: string, methods: readonly string[]): Problem {
  const allow = methods.join(', ');
  return new Problem(
    { status: 405, code: 'methodNotAllowed', detail: `This address does not take ${method}, but ${allow}.` },
    { Allow: allow },
  );
}

/** What is wrong with a query, or with the fields of a body. */
function toProblem(target: string, { issues }: z.ZodError): Problem {
  const [first] = issues;
  if (target === 'json') {
    const errors = issues.map(({ path, message }) => ({ pointer: path.map((part) => `/${String(part)}`).join(''), detail: message }));
    return new Problem({ status: 400, code: 'invalidBody', detail: 'The body has wrong fields; `errors` names them.', errors });
  }
  const isUnknown = first?.code === 'unrecognized_keys';
  const parameter = String(isUnknown ? first.keys[0] : first?.path[0]);
  const detail = isUnknown ? first.message : `${parameter}: ${first?.message}.`;
  return new Problem({ status: 400, code: 'invalidParameter', detail, parameter });
}

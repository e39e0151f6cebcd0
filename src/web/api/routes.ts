import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { ACTIONS, type ActionName } from '#src/admin/actions/declarations.ts';
import type { EventKind } from '#src/admin/queries/records.ts';
import { ACCESS_READS } from './access-routes.ts';
import { actionRoute } from './action-routes.ts';
import {
  ActionParams,
  DecisionParams,
  DeliveryExportParams,
  DeliveryParams,
  EpisodeParams,
  EventParams,
  ExplanationParams,
  ListChangeParams,
  ListParams,
  NoParams,
  RuleListParams,
  StreamerParams,
} from './query.ts';
import { POST_READS } from './post-routes.ts';
import type { RecordName } from './records.ts';
import { ETAG, file, list, object, problem, PROBLEMS, READ_PROBLEMS, record, refTo, text, UNCHANGED } from './responses.ts';
import { SERVER_ROUTES } from './server-routes.ts';

/** The record of each event. */
const EVENTS = {
  delivery: 'Delivery',
  decision: 'Decision',
  live: 'Change',
  posts: 'Change',
  messages: 'Change',
  rules: 'Change',
  accounts: 'Change',
  lists: 'Change',
  actions: 'Change',
  reset: 'Change',
} as const satisfies Readonly<Record<EventKind, RecordName>>;

const ListPath = z.object({ list: ACTIONS.importList.input.shape.list });

/** The routes under `/api`, in the order of the reference. */
export const READS = {
  getStatus: createRoute({
    method: 'get',
    path: '/api/status',
    operationId: 'getStatus',
    summary: 'Get the status',
    description:
      'What needs a person, the live streams with their announcements, the next runs, and the health of this process. It answers also while the database does not.',
    request: { query: NoParams },
    responses: { 200: record('Status', 'The status.'), ...READ_PROBLEMS },
  }),
  listRules: createRoute({
    method: 'get',
    path: '/api/rules',
    operationId: 'listRules',
    summary: 'List rules',
    description: `All rules and all rule files with errors. With a parameter, the answer is one page of them, ordered by id; rules that are off are last. With PostgreSQL, \`version\` is the published version of the rules. ${ETAG}`,
    request: { query: RuleListParams },
    responses: { 200: list('Rule', { version: 'RulesVersion', isNumbered: true }), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  getRule: createRoute({
    method: 'get',
    path: '/api/rules/{rule}',
    operationId: 'getRule',
    summary: 'Get a rule',
    description:
      'One rule. Its `ETag` stands for what people change: its text, whether it is on, and its pause. Decisions and deliveries do not change it. Send it as `If-Match` with a write.',
    request: { params: z.object({ rule: ACTIONS.pauseRule.input.shape.rule }), query: NoParams },
    responses: { 200: record('Rule', 'The rule.'), ...READ_PROBLEMS, 404: problem('There is no such rule.') },
  }),
  explainRule: createRoute({
    method: 'get',
    path: '/api/rules/{rule}/explanation',
    operationId: 'explainRule',
    summary: 'Explain a rule',
    description: `The list and the steps of a rule, its text, and its next runs. ${ETAG}`,
    request: { params: z.object({ rule: ACTIONS.pauseRule.input.shape.rule }), query: NoParams },
    responses: { 200: record('RuleDetails', 'The rule.'), 304: UNCHANGED, ...READ_PROBLEMS, 404: problem('There is no such rule.') },
  }),
  listEpisodes: createRoute({
    method: 'get',
    path: '/api/rules/{rule}/episodes',
    operationId: 'listEpisodes',
    summary: 'List episodes of a rule',
    description: `The episodes of a rule or of one instance with their phases, newest first: open ones, those that wait for confirmation, and those that ended in the last 30 days. A deleted rule keeps its episodes. ${ETAG}`,
    request: { params: z.object({ rule: ACTIONS.pauseRule.input.shape.rule }), query: EpisodeParams },
    responses: { 200: list('Episode', { isPage: true }), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listDecisions: createRoute({
    method: 'get',
    path: '/api/decisions',
    operationId: 'listDecisions',
    summary: 'List decisions',
    description: `The decisions of rules with their reasons, newest first. Each answers why something was or was not announced. ${ETAG}`,
    request: { query: DecisionParams },
    responses: { 200: list('Decision', { isPage: true }), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listDeliveries: createRoute({
    method: 'get',
    path: '/api/deliveries',
    operationId: 'listDeliveries',
    summary: 'List deliveries',
    description: `The deliveries with their states, newest first. All filters can be combined. A page of a search through many deliveries may have fewer items than \`limit\`, even none: continue with its \`cursor\`. ${ETAG}`,
    request: { query: DeliveryParams },
    responses: { 200: list('Delivery', { isPage: true }), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  exportDeliveries: createRoute({
    method: 'get',
    path: '/api/deliveries/export',
    operationId: 'exportDeliveries',
    summary: 'Export deliveries',
    description:
      'All deliveries that the filters find, newest first: as CSV (RFC 4180) with a header, or as a JSON array. A cell that a spreadsheet would read as a formula begins with an apostrophe. The answer is written page by page, so the connection ends early after an error.',
    request: { query: DeliveryExportParams },
    responses: { 200: file('The file.', 'Delivery', 'text/csv'), ...READ_PROBLEMS },
  }),
  getDelivery: createRoute({
    method: 'get',
    path: '/api/deliveries/{delivery}',
    operationId: 'getDelivery',
    summary: 'Get a delivery',
    description: 'One delivery with its attempts, and with who sent it again.',
    request: { params: z.object({ delivery: ACTIONS.resendDelivery.input.shape.delivery }), query: NoParams },
    responses: { 200: record('DeliveryDetails', 'The delivery.'), ...READ_PROBLEMS, 404: problem('There is no such delivery.') },
  }),
  explainItem: createRoute({
    method: 'get',
    path: '/api/explanations',
    operationId: 'explainItem',
    summary: 'Explain why something was or was not announced',
    description: `The rules that know a streamer or another item, with their episodes and decisions; also deleted rules. ${ETAG}`,
    request: { query: ExplanationParams },
    responses: { 200: record('ItemExplanation', 'What the rules know about the item.'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listActions: createRoute({
    method: 'get',
    path: '/api/actions',
    operationId: 'listActions',
    summary: 'List actions of people',
    description: `What people did with Discord, the command line, the page or the API, newest first. The log goes back two years. ${ETAG}`,
    request: { query: ActionParams },
    responses: { 200: list('Action', { isPage: true }), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listServers: createRoute({
    method: 'get',
    path: '/api/servers',
    operationId: 'listServers',
    summary: 'List Discord servers',
    description: `The Discord servers of the bot with their settings, also those that removed the bot less than 30 days ago. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('Server'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listVersions: createRoute({
    method: 'get',
    path: '/api/versions',
    operationId: 'listVersions',
    summary: 'List versions of the rules',
    description: `The stored versions of the rules, newest first; the first one is in force. Without PostgreSQL, the rules have no versions, and the list is empty. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('RulesVersion'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listLists: createRoute({
    method: 'get',
    path: '/api/lists',
    operationId: 'listLists',
    summary: 'List lists',
    description: `The lists in files and the lists that people edit, by name and Discord server. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('ListSummary'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  getList: createRoute({
    method: 'get',
    path: '/api/lists/{list}',
    operationId: 'getList',
    summary: 'Get a list',
    description: `One list with its entries. ${ETAG}`,
    request: { params: ListPath, query: ListParams },
    responses: { 200: record('List', 'The list.'), 304: UNCHANGED, ...READ_PROBLEMS, 404: problem('There is no such list.') },
  }),
  exportList: createRoute({
    method: 'get',
    path: '/api/lists/{list}/export',
    operationId: 'exportList',
    summary: 'Export a list',
    description: 'One list as YAML. `importList` and list files read the same text.',
    request: { params: ListPath, query: ListParams },
    responses: { 200: text('The YAML text.', 'application/yaml'), ...READ_PROBLEMS, 404: problem('There is no such list.') },
  }),
  listListChanges: createRoute({
    method: 'get',
    path: '/api/list-changes',
    operationId: 'listListChanges',
    summary: 'List changes of lists',
    description: `Who changed what in the lists that people edit, newest first. The log goes back two years. ${ETAG}`,
    request: { query: ListChangeParams },
    responses: { 200: list('ListChange', { isPage: true }), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  searchStreamers: createRoute({
    method: 'get',
    path: '/api/streamers',
    operationId: 'searchStreamers',
    summary: 'Search streamers',
    description: 'The channels with exactly these names on all streaming platforms of the accounts. It needs the role `editor`.',
    request: { query: StreamerParams },
    responses: {
      200: record('StreamerSearch', 'What the platforms found.'),
      ...READ_PROBLEMS,
      409: problem('The search has too many names.'),
    },
  }),
  listAccounts: createRoute({
    method: 'get',
    path: '/api/accounts',
    operationId: 'listAccounts',
    summary: 'List accounts',
    description: `The accounts of the configuration, and how they sign in. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('Account'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listAccountUsage: createRoute({
    method: 'get',
    path: '/api/accounts/{account}/usage',
    operationId: 'listAccountUsage',
    summary: 'List the use of an account',
    description: `The spending and the rest of the rate limits of an account on each of the last 30 days, oldest first. Days without records are absent, and an account that was removed keeps its days. ${ETAG}`,
    request: { params: z.object({ account: ACTIONS.signInAccount.input.shape.account }), query: NoParams },
    responses: { 200: list('UsageDay'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  ...ACCESS_READS,
  ...POST_READS,
  listLive: createRoute({
    method: 'get',
    path: '/api/live',
    operationId: 'listLive',
    summary: 'List live streams',
    description: `The most watched streams of the first streaming account, most watched first. Each read sends requests to its platform. It needs the role \`editor\`. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('Stream'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listPosts: createRoute({
    method: 'get',
    path: '/api/posts',
    operationId: 'listPosts',
    summary: 'List posts',
    description: `The latest posts of the social accounts, newest first. Each read sends requests to the platforms, and X bills the posts. It needs the role \`editor\`. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('Post'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listMessages: createRoute({
    method: 'get',
    path: '/api/messages',
    operationId: 'listMessages',
    summary: 'List Discord messages',
    description: `The last messages of Fanfare in the channels that rules write to, newest first. Each read sends requests to Discord. It needs the role \`editor\`. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('Message'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
} as const;

/** The routes of the actions, by the names of the actions. */
export const WRITES = Object.fromEntries(
  (Object.keys(ACTIONS) as ActionName[]).map((name) => [name, actionRoute(name)]), // the keys of a record are its names
) as Readonly<Record<ActionName, ReturnType<typeof actionRoute>>>;

/** The routes whose answers are no records. */
export const STREAMS = {
  streamEvents: createRoute({
    method: 'get',
    path: '/api/events',
    operationId: 'streamEvents',
    summary: 'Stream events',
    description:
      'Server-sent events, one for each change. The event name is the kind, and the data is the changed record. Events without data mean that the list of their kind changed. After a connection with the id of an event, the events after it follow. `reset` means that some are no longer known: read the lists again.',
    request: { query: EventParams },
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The id of the last event that you received. Browsers send it by themselves.',
        schema: { type: 'string' },
      },
    ],
    responses: { 200: text('The stream of events.', 'text/event-stream'), ...PROBLEMS },
    'x-events': Object.fromEntries(Object.entries(EVENTS).map(([name, of]) => [name, refTo(of)])),
  }),
  getDescription: createRoute({
    method: 'get',
    path: '/api/openapi.json',
    operationId: 'getDescription',
    summary: 'Get this description',
    description: 'The OpenAPI 3.1 description of this API.',
    responses: { 200: object('The description.'), ...PROBLEMS },
  }),
} as const;

/** All routes that the description has. */
export const ROUTES = [...Object.values(READS), ...Object.values(WRITES), ...Object.values(STREAMS), ...SERVER_ROUTES];

import { isCollecting } from '#src/rules/collecting.ts';
import type { Path } from '#src/rules/document/report.ts';
import { meantOperation } from './suggest-operation.ts';

/** A key of another tool, with what a rule has in its place. */
export interface ForeignKey {
  /** The key in a rule; absent if a rule needs none. */
  readonly key?: string;
  readonly hint: string;
}

type Tool = 'Home Assistant' | 'GitHub Actions' | 'n8n' | 'GitHub Actions and n8n';
/** Without a tool, users expect the key in rules too. */
type Entry = readonly [tool: Tool | undefined, key: string | undefined, hint: string];

const HA = 'Home Assistant';
const GITHUB = 'GitHub Actions';

const QUIET: Entry = [
  undefined,
  'quiet',
  "quiet: { from: '23:00', to: '08:00', timezone: Europe/Paris, then: drop } with the hours without announcements",
];
const WEEKDAYS: Entry = [undefined, 'if', 'if: now.getDayOfWeek("Europe/Paris") in [5, 6, 0], with 0 for Sunday'];
const EXPIRY: Entry = [
  undefined,
  undefined,
  'the last day belongs in if: of the rule, for example if: now < timestamp("2030-12-25T00:00:00Z")',
];
const MESSAGE: Entry = [undefined, 'then', 'then: [{ do: discord.send, with: { channel: live, content: Hello } }]'];
const ONCE: Entry = [undefined, undefined, 'an item fires once until it leaves the list; cooldown: 1h limits how often a rule fires'];
const RETRIES: Entry = [undefined, undefined, 'Fanfare retries for 24 hours; to change this, write retry: { for: 1h } in a step'];
const OPPOSITE: Entry = [undefined, 'if', 'if: "!(…)" with the opposite condition'];
const WATCHED: Entry = [undefined, 'watch', 'watch: with an operation, for example streaming.getStreams'];
const INTERVAL: Entry = [undefined, 'every', 'every: 5m'];
const ACCOUNT: Entry = [undefined, 'as', 'as: with an account; the channel belongs in with:'];
const PARAMETERS: Entry = [undefined, 'with', 'with: with the parameters'];

const ROOT: Readonly<Record<string, Entry>> = {
  trigger: [HA, 'when', 'when: { every: 1m, watch: streaming.getStreams }'],
  triggers: [HA, 'when', 'when: { every: 1m, watch: streaming.getStreams }'],
  on: [GITHUB, 'when', 'when: { every: 1m, watch: streaming.getStreams }'],
  schedule: [GITHUB, 'when', "when: { cron: '0 9 * * *' }"],
  action: [HA, 'then', 'then: with a list of steps'],
  actions: [HA, 'then', 'then: with a list of steps'],
  sequence: [HA, 'then', 'then: with a list of steps'],
  steps: [GITHUB, 'then', 'then: with a list of steps'],
  jobs: [GITHUB, 'then', 'then: with one list of steps'],
  nodes: ['n8n', 'then', 'then: with a list of steps'],
  connections: ['n8n', undefined, 'the steps in then run in order'],
  condition: [HA, 'if', 'if: with an expression'],
  conditions: [HA, 'if', 'if: with an expression'],
  alias: [HA, 'id', 'id: my-rule, and about: with a description'],
  name: ['GitHub Actions and n8n', 'id', 'id: my-rule, and about: with a description'],
  description: [HA, 'about', 'about: with a description'],
  variables: [HA, 'vars', 'vars: with constants'],
  env: [GITHUB, 'vars', 'vars: with constants; secrets belong in .env'],
  strategy: [GITHUB, 'each', 'each: with lists of values'],
  matrix: [GITHUB, 'each', 'each: with lists of values'],
  concurrency: [GITHUB, 'mode', 'mode: single or restart'],
  initial_state: [HA, 'enabled', 'enabled: true or false'],
  active: ['n8n', 'enabled', 'enabled: true or false'],
  wenn: [undefined, 'when', 'when: { every: 1m, watch: streaming.getStreams }'],
  dann: [undefined, 'then', 'then: with a list of steps'],
  falls: [undefined, 'if', 'if: with an expression'],
  während: [undefined, 'while', 'while: with a list of steps'],
  ende: [undefined, 'finally', 'finally: with a list of steps'],
  beschreibung: [undefined, 'about', 'about: with a description'],
  aktiv: [undefined, 'enabled', 'enabled: true or false'],
  update: [undefined, 'while', 'while: with a list of steps'],
  end: [undefined, 'finally', 'finally: with a list of steps'],
  ended: [undefined, 'finally', 'finally: with a list of steps'],
  offline: [undefined, 'finally', 'finally: with a list of steps'],
  title: [undefined, 'about', 'about: with a description'],
  disabled: [undefined, 'enabled', 'enabled: false'],
  paused: [undefined, 'enabled', 'enabled: false'],
  between: QUIET,
  hours: QUIET,
  during: QUIET,
  night: QUIET,
  ruhe: QUIET,
  days: WEEKDAYS,
  weekdays: WEEKDAYS,
  tage: WEEKDAYS,
  until: EXPIRY,
  expires: EXPIRY,
  notify: MESSAGE,
  message: MESSAGE,
  send: MESSAGE,
  post: MESSAGE,
  channel: MESSAGE,
  once: ONCE,
  dedupe: ONCE,
  deduplicate: ONCE,
  throttle: [undefined, 'cooldown', 'cooldown: 1h'],
  rateLimit: [undefined, 'limit', 'limit: { firings: 5, per: 1h, then: drop }'],
  delay: [
    undefined,
    undefined,
    'settle: 5m in when waits until an item has stayed this long, and a step - wait: 5m delays the steps below it',
  ],
  debounce: [undefined, undefined, 'settle: 5m in when waits until an item has stayed this long'],
  interval: [undefined, 'when', 'when: { every: 5m, watch: streaming.getStreams }'],
  repeat: [undefined, 'when', 'when: { every: 5m, watch: streaming.getStreams }'],
  retries: RETRIES,
  timeout: [undefined, undefined, 'maxAge: 10m in a step ends its attempts'],
  else: [undefined, undefined, 'write another rule with the opposite if'],
  unless: OPPOSITE,
  filter: [undefined, 'if', 'if: with an expression'],
  templates: [undefined, 'vars', 'vars: with texts'],
  tz: [undefined, undefined, 'timezone belongs in when, quiet or gather'],
};

/** The proof of a sender of webhooks. */
const SENDER =
  'FANFARE_WEBHOOK_<NAME>_SECRET or FANFARE_WEBHOOK_<NAME>_TOKEN in .env has the secret, and FANFARE_WEBHOOK_<NAME>_HEADER another header';
const LATER = 'For several firings, or to send them later, write limit: { firings: 1, per: 10m, then: hold }';

const WHEN: Readonly<Record<string, Entry>> = {
  as: [undefined, 'account', 'account: with an account'],
  platform: [HA, 'watch', 'watch: with an operation, for example streaming.getStreams'],
  trigger: [HA, 'watch', 'watch: with an operation, for example streaming.getStreams'],
  entity_id: [HA, 'with', 'with: { users: [ada] }'],
  event: [HA, 'changes', 'changes: [entered]'],
  event_type: [HA, 'changes', 'changes: [entered]'],
  types: [GITHUB, 'changes', 'changes: [entered]'],
  schedule: [GITHUB, 'cron', "cron: '0 9 * * *'"],
  minutes: [HA, 'every', 'every: 5m'],
  seconds: [HA, 'every', 'every: 30s'],
  hours: [HA, 'every', 'every: 1h'],
  interval: ['n8n', 'every', 'every: 5m'],
  frequency: INTERVAL,
  repeat: INTERVAL,
  refresh: INTERVAL,
  poll: INTERVAL,
  check: INTERVAL,
  for: [HA, 'settle', 'settle: 5m'],
  delay: [undefined, 'settle', 'settle: 5m'],
  alle: [undefined, 'every', 'every: 5m'],
  jede: [undefined, 'every', 'every: 5m'],
  beobachte: [undefined, 'watch', 'watch: with an operation, for example streaming.getStreams'],
  mit: [undefined, 'with', 'with: { users: [ada] }'],
  konto: [undefined, 'account', 'account: with an account'],
  zeitzone: [undefined, 'timezone', 'timezone: Europe/Berlin'],
  tz: [undefined, 'timezone', 'timezone: Europe/Paris'],
  top: [undefined, 'take', 'take: 5'],
  count: [undefined, 'take', 'take: 5'],
  limit: [undefined, 'take', 'take: 5; a limit of firings belongs beside when'],
  until: EXPIRY,
  expires: EXPIRY,
  between: [undefined, undefined, `beside when, write ${QUIET[2]}`],
  days: [undefined, undefined, `beside when, write ${WEEKDAYS[2]}`],
  weekdays: [undefined, undefined, `beside when, write ${WEEKDAYS[2]}`],
  time: [undefined, 'cron', "cron: '0 9 * * *' for each day at nine"],
  source: WATCHED,
  query: WATCHED,
  stream: WATCHED,
  type: WATCHED,
  on: WATCHED,
  filter: [undefined, 'where', 'where: with an expression on item'],
  unless: [undefined, 'where', 'where: "!(…)" with the opposite condition'],
  debounce: [undefined, 'settle', 'settle: 5m'],
  channel: [undefined, 'with', 'with: { users: [ada] }; the channel of a message belongs in with of its step'],
  streamer: [undefined, 'with', 'with: { users: [ada] }, and watch: streaming.getStreams'],
  streamers: [undefined, 'with', 'with: { users: [ada] }, and watch: streaming.getStreams'],
  above: [HA, 'changes', 'changes: [{ rose: { field: viewerCount, above: 1000 } }]'],
  below: [HA, 'changes', 'changes: [{ fell: { field: viewerCount, below: 1000 } }]'],
  condition: [HA, 'where', 'where: with an expression on item'],
  if: [GITHUB, 'where', 'where: with an expression on item'],
  description: [undefined, undefined, 'about: of the rule is the description of its command'],
  secret: [undefined, undefined, SENDER],
  token: [undefined, undefined, SENDER],
  signature: [undefined, undefined, SENDER],
  header: [undefined, undefined, SENDER],
};

const OPTION: Readonly<Record<string, Entry>> = {
  description: [undefined, 'about', 'about: with the description'],
  name: [undefined, undefined, 'the key above is the name of the option'],
};

const COOLDOWN: Readonly<Record<string, Entry>> = {
  then: [undefined, undefined, `a cooldown discards firings. ${LATER}`],
  firings: [undefined, undefined, `a cooldown allows one firing. ${LATER}`],
};

const LIMIT: Readonly<Record<string, Entry>> = {
  count: [undefined, 'firings', 'firings: 5'],
  max: [undefined, 'firings', 'firings: 5'],
  every: [undefined, 'per', 'per: 1d'],
  for: [undefined, 'per', 'per: 1d'],
};

const STEP: Readonly<Record<string, Entry>> = {
  action: [HA, 'do', 'do: with an operation, for example discord.send'],
  service: [HA, 'do', 'do: with an operation, for example discord.send'],
  uses: [GITHUB, 'do', 'do: with an operation, for example discord.send'],
  run: [GITHUB, 'do', 'do: with an operation; rules cannot run programs'],
  type: ['n8n', 'do', 'do: with an operation, for example discord.send'],
  data: [HA, 'with', 'with: with the parameters'],
  data_template: [HA, 'with', 'with: with the parameters'],
  service_data: [HA, 'with', 'with: with the parameters'],
  parameters: ['n8n', 'with', 'with: with the parameters'],
  target: [HA, 'as', 'as: with an account; the channel belongs in with:'],
  entity_id: [HA, 'as', 'as: with an account; the channel belongs in with:'],
  credentials: ['n8n', 'as', 'as: with an account'],
  account: [undefined, 'as', 'as: with an account'],
  accounts: [undefined, 'as', 'as: with the accounts'],
  condition: [HA, 'if', 'if: with an expression'],
  when: [GITHUB, 'if', 'if: with an expression'],
  delay: [HA, 'wait', 'a separate step - wait: 5m'],
  repeat: [HA, 'forEach', 'forEach: with an expression for a list'],
  strategy: [GITHUB, 'forEach', 'forEach: with an expression for a list'],
  alias: [HA, 'id', 'id: with the name of the step'],
  name: ['GitHub Actions and n8n', 'id', 'id: with the name of the step'],
  continue_on_error: [HA, 'onError', 'onError: continue'],
  'continue-on-error': [GITHUB, 'onError', 'onError: continue'],
  continueOnFail: ['n8n', 'onError', 'onError: continue'],
  retryOnFail: ['n8n', undefined, 'Fanfare retries for 24 hours; to change this, write retry: { for: 1h }'],
  'timeout-minutes': [GITHUB, 'maxAge', 'maxAge: 10m'],
  timeout: [HA, 'maxAge', 'maxAge: 10m'],
  then: [HA, 'do', 'each of its steps as a separate step, with the same if'],
  else: [HA, undefined, 'add the opposite if to other steps, for example if: "!(…)"'],
  choose: [HA, 'do', 'one step for each case, each with an if'],
  parallel: [HA, 'do', 'its steps below each other: a step waits only for the results that it reads'],
  platform: ACCOUNT,
  network: ACCOUNT,
  via: ACCOUNT,
  on: ACCOUNT,
  params: PARAMETERS,
  args: PARAMETERS,
  arguments: PARAMETERS,
  options: PARAMETERS,
  after: [undefined, 'wait', 'a separate step - wait: 5m'],
  unless: OPPOSITE,
  retries: RETRIES,
  edit: [undefined, 'do', 'do: discord.edit, and with: with the parameters'],
  send: [undefined, 'do', 'do: discord.send, and with: with the parameters'],
  post: [undefined, 'do', 'do: social.createPost, and with: with the parameters'],
  tue: [undefined, 'do', 'do: with an operation, for example discord.send'],
  mache: [undefined, 'do', 'do: with an operation, for example discord.send'],
  mit: [undefined, 'with', 'with: with the parameters'],
  warte: [undefined, 'wait', 'a separate step - wait: 5m'],
  wenn: [undefined, 'if', 'if: with an expression'],
  falls: [undefined, 'if', 'if: with an expression'],
  needs: [GITHUB, undefined, 'the steps run in order'],
};

const SECTIONS: ReadonlySet<string> = new Set(['then', 'while', 'finally']);

/** The key of another tool at a path of a rule file; undefined if no known tool has this key. `operations`: the names of the operations. */
export function foreignKeyAt(path: Path, operations: Iterable<string> = []): ForeignKey | undefined {
  const name = String(path.at(-1));
  const known = tableFor(path.slice(0, -1));
  // An operation in the place of `do`.
  if (known === STEP && /^[a-z]+\.[A-Za-z]+$/u.test(name))
    return { key: 'do', hint: `write do: ${meantOperation(name, operations) ?? name}, and with: with the parameters` };
  const entry = known && Object.hasOwn(known, name) ? known[name] : undefined;
  if (!entry) return undefined;
  const [tool, key, hint] = entry;
  const origin = tool === undefined ? '' : ` (${name} is a key of ${tool})`;
  return key === undefined ? { hint: `remove it: ${hint}${origin}` } : { key, hint: `write ${hint}${origin}` };
}

function tableFor(above: Path): Readonly<Record<string, Entry>> | undefined {
  const [section, inner] = above;
  if (above.length === 0) return ROOT;
  if (section === 'when') return above.length === 1 ? WHEN : above.length === 3 && inner === 'options' ? OPTION : undefined;
  if (above.length === 1 && section === 'cooldown') return COOLDOWN;
  if (above.length === 1 && section === 'limit') return LIMIT;
  if (isCollecting(String(section))) return above.length === 3 && inner === 'then' ? STEP : undefined;
  return above.length === 2 && SECTIONS.has(String(section)) ? STEP : undefined;
}

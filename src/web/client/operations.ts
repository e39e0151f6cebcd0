// Generated from the OpenAPI document by npm run docs. Do not edit.
import type { Decision, Delivery, Rule, RulesVersion, RuleDetails, Episode, DeliveryDetails, ItemExplanation, Stream, Post, Message, Readiness, Health, Status, Action, ChangedRules, RuleRun, RequestedAnnouncement, RuleValue, RuleTest, Preview, Replay, Publication, List, ListSummary, ListChange, ListEdit, StreamerSearch, Server, WaitingPost, Account, UsageDay, SignIn, ConfirmedSignIn, ChannelSignIn, Person, Token, NewToken, Session, About, Check, Sandbox, SandboxClock, SandboxFaults, SandboxStreamer, SandboxChange, SandboxArticle, SandboxDiscord, SandboxInteraction, SandboxWritten } from './records.ts';

/** The inputs and the answers of the operations. */
export interface Operations {
  readonly getStatus: { readonly input: {  }; readonly answer: Status };
  readonly listRules: { readonly input: { readonly text?: string | undefined; readonly state?: 'on' | 'paused' | 'failing' | 'broken' | 'off' | undefined; readonly page?: number | undefined; readonly limit?: number | undefined; }; readonly answer: { readonly items: readonly (Rule)[]; readonly page?: number | undefined; readonly pages?: number | undefined; readonly found?: number | undefined; readonly total?: number | undefined; readonly version?: RulesVersion | undefined; } };
  readonly getRule: { readonly input: { readonly rule: string; }; readonly answer: Rule };
  readonly explainRule: { readonly input: { readonly rule: string; }; readonly answer: RuleDetails };
  readonly listEpisodes: { readonly input: { readonly rule: string; readonly cursor?: string | undefined; readonly limit?: number | undefined; }; readonly answer: { readonly items: readonly (Episode)[]; readonly cursor?: string | undefined; } };
  readonly listDecisions: { readonly input: { readonly rule?: string | undefined; readonly outcome?: 'fired' | 'suppressed' | 'deferred' | 'waiting' | 'closed' | 'unchanged' | 'failed' | undefined; readonly text?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined; }; readonly answer: { readonly items: readonly (Decision)[]; readonly cursor?: string | undefined; } };
  readonly listDeliveries: { readonly input: { readonly rule?: string | undefined; readonly item?: string | undefined; readonly account?: string | undefined; readonly state?: 'pending' | 'sending' | 'asked' | 'sent' | 'failed' | 'unknown' | 'skipped' | undefined; readonly text?: string | undefined; readonly since?: string | undefined; readonly until?: string | undefined; readonly order?: 'newest' | 'oldest' | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined; }; readonly answer: { readonly items: readonly (Delivery)[]; readonly cursor?: string | undefined; } };
  readonly getDelivery: { readonly input: { readonly delivery: string; }; readonly answer: DeliveryDetails };
  readonly explainItem: { readonly input: { readonly item: string; readonly limit?: number | undefined; }; readonly answer: ItemExplanation };
  readonly listActions: { readonly input: { readonly target?: string | undefined; readonly action?: 'pauseRule' | 'resumeRule' | 'runRule' | 'announceItem' | 'testRule' | 'previewRule' | 'replayRule' | 'setValue' | 'resendDelivery' | 'resolveDelivery' | 'answerDelivery' | 'muteItem' | 'publishVersion' | 'rollBackVersion' | 'deleteRule' | 'addListEntries' | 'changeListEntry' | 'removeListEntries' | 'importList' | 'deleteList' | 'undoListChange' | 'editPost' | 'movePost' | 'cancelPost' | 'configureServer' | 'signInAccount' | 'confirmAccount' | 'signOutAccount' | 'createToken' | 'revokeToken' | 'addPerson' | 'changeRole' | 'changePassword' | 'removePerson' | 'signOutPerson' | 'signIn' | 'signOutEverywhere' | 'createFirstAdmin' | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined; }; readonly answer: { readonly items: readonly (Action)[]; readonly cursor?: string | undefined; } };
  readonly listServers: { readonly input: {  }; readonly answer: { readonly items: readonly (Server)[]; } };
  readonly listVersions: { readonly input: {  }; readonly answer: { readonly items: readonly (RulesVersion)[]; } };
  readonly publishVersion: { readonly input: { readonly after: number; readonly files: readonly ({ readonly file: string; readonly source: string; })[]; readonly publisher?: string | undefined; readonly note?: string | undefined; }; readonly answer: Publication };
  readonly listLists: { readonly input: {  }; readonly answer: { readonly items: readonly (ListSummary)[]; } };
  readonly getList: { readonly input: { readonly list: string; readonly server?: string | undefined; }; readonly answer: List };
  readonly deleteList: { readonly input: { readonly list: string; readonly server?: string | undefined; }; readonly answer: ListEdit };
  readonly listListChanges: { readonly input: { readonly list?: string | undefined; readonly server?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined; }; readonly answer: { readonly items: readonly (ListChange)[]; readonly cursor?: string | undefined; } };
  readonly searchStreamers: { readonly input: { readonly name: string; }; readonly answer: StreamerSearch };
  readonly listAccounts: { readonly input: {  }; readonly answer: { readonly items: readonly (Account)[]; } };
  readonly listAccountUsage: { readonly input: { readonly account: string; }; readonly answer: { readonly items: readonly (UsageDay)[]; } };
  readonly getSession: { readonly input: {  }; readonly answer: Session };
  readonly getAbout: { readonly input: {  }; readonly answer: About };
  readonly listChecks: { readonly input: {  }; readonly answer: { readonly items: readonly (Check)[]; } };
  readonly getChannelSignIn: { readonly input: { readonly account: string; }; readonly answer: ChannelSignIn };
  readonly signInAccount: { readonly input: { readonly account: string; readonly password?: string | undefined; readonly channel?: boolean | undefined; readonly port?: number | undefined; }; readonly answer: SignIn };
  readonly listPeople: { readonly input: {  }; readonly answer: { readonly items: readonly (Person)[]; } };
  readonly addPerson: { readonly input: { readonly name: string; readonly role: 'viewer' | 'editor' | 'admin'; readonly password: string; }; readonly answer: Person };
  readonly listTokens: { readonly input: {  }; readonly answer: { readonly items: readonly (Token)[]; } };
  readonly createToken: { readonly input: { readonly name: string; readonly scope: 'metrics' | 'read' | 'write' | 'admin'; readonly expiresAt?: string | undefined; }; readonly answer: NewToken };
  readonly listWaitingPosts: { readonly input: {  }; readonly answer: { readonly items: readonly (WaitingPost)[]; } };
  readonly listLive: { readonly input: {  }; readonly answer: { readonly items: readonly (Stream)[]; } };
  readonly listPosts: { readonly input: {  }; readonly answer: { readonly items: readonly (Post)[]; } };
  readonly listMessages: { readonly input: {  }; readonly answer: { readonly items: readonly (Message)[]; } };
  readonly pauseRule: { readonly input: { readonly rule: string; readonly from?: string | undefined; readonly until?: string | undefined; }; readonly answer: ChangedRules };
  readonly resumeRule: { readonly input: { readonly rule: string; readonly planned?: boolean | undefined; }; readonly answer: ChangedRules };
  readonly runRule: { readonly input: { readonly rule: string; }; readonly answer: RuleRun };
  readonly announceItem: { readonly input: { readonly rule: string; readonly item: string; }; readonly answer: RequestedAnnouncement };
  readonly testRule: { readonly input: { readonly rule: string; }; readonly answer: RuleTest };
  readonly previewRule: { readonly input: { readonly rule: string; readonly items: number; }; readonly answer: Preview };
  readonly replayRule: { readonly input: { readonly rule: string; readonly since?: string | undefined; readonly source?: string | undefined; }; readonly answer: Replay };
  readonly setValue: { readonly input: { readonly rule: string; readonly name: string; readonly value: number | boolean | string | readonly (string)[]; }; readonly answer: RuleValue };
  readonly resendDelivery: { readonly input: { readonly delivery: string; }; readonly answer: Delivery };
  readonly resolveDelivery: { readonly input: { readonly delivery: string; readonly resolution: 'sent' | 'again'; }; readonly answer: Delivery };
  readonly answerDelivery: { readonly input: { readonly delivery: string; readonly choice: string; readonly text?: string | undefined; }; readonly answer: Delivery };
  readonly muteItem: { readonly input: { readonly delivery: string; }; readonly answer: Delivery };
  readonly rollBackVersion: { readonly input: { readonly version: number; readonly after?: number | undefined; readonly publisher?: string | undefined; readonly note?: string | undefined; }; readonly answer: Publication };
  readonly deleteRule: { readonly input: { readonly rule: string; readonly after?: number | undefined; readonly publisher?: string | undefined; readonly note?: string | undefined; }; readonly answer: Publication };
  readonly addListEntries: { readonly input: { readonly list: string; readonly server?: string | undefined; readonly entries: readonly ({ readonly id: string; readonly fields: Readonly<Record<string, unknown>>; })[]; readonly changes?: readonly ({ readonly entry: string; readonly fields: Readonly<Record<string, unknown>>; readonly expected?: Readonly<Record<string, unknown>> | undefined; })[] | undefined; }; readonly answer: ListEdit };
  readonly removeListEntries: { readonly input: { readonly list: string; readonly server?: string | undefined; readonly entries: readonly (string)[]; }; readonly answer: ListEdit };
  readonly changeListEntry: { readonly input: { readonly list: string; readonly entry: string; readonly server?: string | undefined; readonly fields: Readonly<Record<string, unknown>>; readonly expected?: Readonly<Record<string, unknown>> | undefined; }; readonly answer: ListEdit };
  readonly importList: { readonly input: { readonly list: string; readonly server?: string | undefined; readonly source: string; readonly mode?: 'merge' | 'replace' | undefined; }; readonly answer: ListEdit };
  readonly undoListChange: { readonly input: { readonly change: string; }; readonly answer: ListEdit };
  readonly editPost: { readonly input: { readonly post: string; readonly text: string; readonly warning?: string | undefined; readonly altText?: string | undefined; readonly edits?: number | undefined; }; readonly answer: WaitingPost };
  readonly movePost: { readonly input: { readonly post: string; readonly at: string; }; readonly answer: WaitingPost };
  readonly cancelPost: { readonly input: { readonly post: string; }; readonly answer: WaitingPost };
  readonly configureServer: { readonly input: { readonly server: string; readonly language?: '' | 'en' | 'de' | undefined; readonly zone?: string | undefined; readonly channel?: string | undefined; readonly ping?: string | undefined; readonly problemsChannel?: string | undefined; readonly liveRole?: string | undefined; readonly announcements?: '' | 'off' | undefined; readonly pings?: readonly (string)[] | undefined; readonly roles?: { readonly setup?: readonly (string)[] | undefined; readonly follow?: readonly (string)[] | undefined; readonly post?: readonly (string)[] | undefined; readonly operate?: readonly (string)[] | undefined; readonly answer?: readonly (string)[] | undefined; } | undefined; readonly expected?: { readonly pings?: readonly (string)[] | undefined; readonly roles?: { readonly setup?: readonly (string)[] | undefined; readonly follow?: readonly (string)[] | undefined; readonly post?: readonly (string)[] | undefined; readonly operate?: readonly (string)[] | undefined; readonly answer?: readonly (string)[] | undefined; } | undefined; } | undefined; }; readonly answer: Server };
  readonly confirmAccount: { readonly input: { readonly account: string; readonly address: string; }; readonly answer: ConfirmedSignIn };
  readonly signOutAccount: { readonly input: { readonly account: string; }; readonly answer: Account };
  readonly revokeToken: { readonly input: { readonly token: string; }; readonly answer: Token };
  readonly changeRole: { readonly input: { readonly person: string; readonly role: 'viewer' | 'editor' | 'admin'; }; readonly answer: Person };
  readonly changePassword: { readonly input: { readonly person: string; readonly password: string; }; readonly answer: Person };
  readonly removePerson: { readonly input: { readonly person: string; }; readonly answer: Person };
  readonly signOutPerson: { readonly input: { readonly person: string; }; readonly answer: Person };
  readonly getHealth: { readonly input: {  }; readonly answer: Health };
  readonly getReadiness: { readonly input: {  }; readonly answer: Readiness };
  readonly getSandbox: { readonly input: {  }; readonly answer: Sandbox };
  readonly listSandboxStreamers: { readonly input: { readonly text?: string | undefined; readonly state?: 'live' | 'offline' | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined; }; readonly answer: { readonly items: readonly (SandboxStreamer)[]; readonly cursor?: string | undefined; } };
  readonly getSandboxDiscord: { readonly input: { readonly user?: string | undefined; readonly guild?: string | undefined; readonly channel?: string | undefined; readonly locale?: string | undefined; }; readonly answer: SandboxDiscord };
  readonly changeSandboxWorld: { readonly input: { readonly do: 'goLive' | 'end' | 'changeGame' | 'changeTitle' | 'setViewers'; readonly user: string; readonly game?: string | undefined; readonly title?: string | undefined; readonly viewers?: number | undefined; }; readonly answer: SandboxChange };
  readonly publishSandboxArticle: { readonly input: { readonly feed: string; readonly title: string; readonly text?: string | undefined; }; readonly answer: SandboxArticle };
  readonly addSandboxFault: { readonly input: { readonly platform: string; readonly kind: 'status' | 'page' | 'pageAfter' | 'brokenJson' | 'rateLimit' | 'resetBefore' | 'resetAfter' | 'delay' | 'endlessCursor' | 'emptyList' | 'shortList' | 'repeatedItem' | 'delayedVisibility' | 'ignoreKey' | 'duplicateEffects' | 'lostNotification' | 'lateNotification' | 'repeatedNotification' | 'swappedNotification' | 'forgedNotification' | 'foreignNotification' | 'silentSocket'; readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined; readonly route?: string | undefined; readonly status?: number | undefined; readonly ms?: number | undefined; readonly times?: number | undefined; }; readonly answer: SandboxFaults };
  readonly endSandboxFaults: { readonly input: { readonly platform?: string | undefined; }; readonly answer: SandboxFaults };
  readonly moveSandboxClock: { readonly input: { readonly speed?: number | undefined; readonly forwardMs?: number | undefined; }; readonly answer: SandboxClock };
  readonly sendSandboxInteraction: { readonly input: { readonly user: string; readonly guild?: string | undefined; readonly locale?: string | undefined; readonly channel?: string | undefined; readonly command?: string | undefined; readonly options?: Readonly<Record<string, string | number | boolean>> | undefined; readonly focused?: string | undefined; readonly message?: string | undefined; readonly customId?: string | undefined; readonly values?: readonly (string)[] | undefined; readonly menu?: string | undefined; readonly modal?: string | undefined; readonly fields?: Readonly<Record<string, string | readonly (string)[]>> | undefined; }; readonly answer: SandboxInteraction };
  readonly writeSandboxMessage: { readonly input: { readonly user: string; readonly guild?: string | undefined; readonly channel: string; readonly content: string; }; readonly answer: SandboxWritten };
}

/** The method and the path of each operation. */
export const ROUTES = {
  getStatus: ['GET', '/api/status'],
  listRules: ['GET', '/api/rules'],
  getRule: ['GET', '/api/rules/{rule}'],
  explainRule: ['GET', '/api/rules/{rule}/explanation'],
  listEpisodes: ['GET', '/api/rules/{rule}/episodes'],
  listDecisions: ['GET', '/api/decisions'],
  listDeliveries: ['GET', '/api/deliveries'],
  getDelivery: ['GET', '/api/deliveries/{delivery}'],
  explainItem: ['GET', '/api/explanations'],
  listActions: ['GET', '/api/actions'],
  listServers: ['GET', '/api/servers'],
  listVersions: ['GET', '/api/versions'],
  publishVersion: ['POST', '/api/versions'],
  listLists: ['GET', '/api/lists'],
  getList: ['GET', '/api/lists/{list}'],
  deleteList: ['DELETE', '/api/lists/{list}'],
  listListChanges: ['GET', '/api/list-changes'],
  searchStreamers: ['GET', '/api/streamers'],
  listAccounts: ['GET', '/api/accounts'],
  listAccountUsage: ['GET', '/api/accounts/{account}/usage'],
  getSession: ['GET', '/api/session'],
  getAbout: ['GET', '/api/about'],
  listChecks: ['GET', '/api/checks'],
  getChannelSignIn: ['GET', '/api/accounts/{account}/sign-in'],
  signInAccount: ['POST', '/api/accounts/{account}/sign-in'],
  listPeople: ['GET', '/api/people'],
  addPerson: ['POST', '/api/people'],
  listTokens: ['GET', '/api/tokens'],
  createToken: ['POST', '/api/tokens'],
  listWaitingPosts: ['GET', '/api/waiting-posts'],
  listLive: ['GET', '/api/live'],
  listPosts: ['GET', '/api/posts'],
  listMessages: ['GET', '/api/messages'],
  pauseRule: ['POST', '/api/rules/{rule}/pause'],
  resumeRule: ['POST', '/api/rules/{rule}/resume'],
  runRule: ['POST', '/api/rules/{rule}/run'],
  announceItem: ['POST', '/api/rules/{rule}/announce-item'],
  testRule: ['POST', '/api/rules/{rule}/test'],
  previewRule: ['POST', '/api/rules/{rule}/preview'],
  replayRule: ['POST', '/api/rules/{rule}/replay'],
  setValue: ['POST', '/api/rules/{rule}/set-value'],
  resendDelivery: ['POST', '/api/deliveries/{delivery}/resend'],
  resolveDelivery: ['POST', '/api/deliveries/{delivery}/resolve'],
  answerDelivery: ['POST', '/api/deliveries/{delivery}/answer'],
  muteItem: ['POST', '/api/deliveries/{delivery}/mute-item'],
  rollBackVersion: ['POST', '/api/versions/{version}/roll-back'],
  deleteRule: ['POST', '/api/rules/{rule}/delete'],
  addListEntries: ['POST', '/api/lists/{list}/entries'],
  removeListEntries: ['DELETE', '/api/lists/{list}/entries'],
  changeListEntry: ['PATCH', '/api/lists/{list}/entries/{entry}'],
  importList: ['POST', '/api/lists/{list}/import'],
  undoListChange: ['POST', '/api/list-changes/{change}/undo'],
  editPost: ['POST', '/api/waiting-posts/{post}/edit'],
  movePost: ['POST', '/api/waiting-posts/{post}/move'],
  cancelPost: ['POST', '/api/waiting-posts/{post}/cancel'],
  configureServer: ['POST', '/api/servers/{server}/configure'],
  confirmAccount: ['POST', '/api/accounts/{account}/confirm'],
  signOutAccount: ['POST', '/api/accounts/{account}/sign-out'],
  revokeToken: ['POST', '/api/tokens/{token}/revoke'],
  changeRole: ['PATCH', '/api/people/{person}'],
  changePassword: ['POST', '/api/people/{person}/change-password'],
  removePerson: ['POST', '/api/people/{person}/remove'],
  signOutPerson: ['POST', '/api/people/{person}/sign-out'],
  getHealth: ['GET', '/healthz'],
  getReadiness: ['GET', '/readyz'],
  getSandbox: ['GET', '/api/sandbox'],
  listSandboxStreamers: ['GET', '/api/sandbox/streamers'],
  getSandboxDiscord: ['GET', '/api/sandbox/discord'],
  changeSandboxWorld: ['POST', '/api/sandbox/world'],
  publishSandboxArticle: ['POST', '/api/sandbox/articles'],
  addSandboxFault: ['POST', '/api/sandbox/faults'],
  endSandboxFaults: ['DELETE', '/api/sandbox/faults'],
  moveSandboxClock: ['POST', '/api/sandbox/clock'],
  sendSandboxInteraction: ['POST', '/api/sandbox/discord/interactions'],
  writeSandboxMessage: ['POST', '/api/sandbox/discord/messages'],
} as const satisfies Readonly<Record<keyof Operations, readonly [method: string, path: string]>>;

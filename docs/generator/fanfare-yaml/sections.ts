/** The text of a section of the page about `fanfare.yaml`, above its table of keys. */
export interface SectionText {
  readonly introduction: string;
  /** A complete example in YAML. All examples together have every key and are one valid file. */
  readonly example: string;
  readonly notes: string;
}

const ACCOUNTS: SectionText = {
  introduction:
    'You choose the name of an account, and rules use it: `account: alt` reads with this account, and `as: [discord, berlin]` sends with both. The accounts of the environment have the names of their platforms: `twitch`, `kick`, `youtube`, `x`, `bluesky`, `mastodon`, `discord`, `assistant` and `sandbox`.',
  example: `accounts:
  # Another Discord server for the bot of DISCORD_TOKEN. Rules with \`berlin\` send to the channels of this server.
  berlin:
    platform: discord
    server: '1202584131993600007' # in Discord: Settings, Advanced, Developer Mode; then Copy Server ID
    zone: Europe/Berlin # the time zone of the server; default: discord.zone
  # Another application of Twitch or Kick.
  alt: { platform: twitch, clientId: gp762nuuoqcoxypju8c569th9wz7q5, clientSecret: \${ALT_TWITCH_SECRET} }
  kick_too: { platform: kick, clientId: 01HZX3, clientSecret: \${KICK_TOO_SECRET} }
  # Another key of YouTube.
  videos: { platform: youtube, apiKey: \${VIDEOS_KEY} }
  # Accounts of social platforms. Without a password or a token, sign in with \`npx fanfare auth <name>\`.
  mastodon_de: { platform: mastodon, url: 'https://mastodon.social', token: \${MASTODON_DE_TOKEN} }
  sky: { platform: bluesky, handle: club.bsky.social, appPassword: \${SKY_APP_PASSWORD}, url: 'https://bsky.social' }
  # X: an application for the sign-in, or the keys of OAuth 1.0a for one account. A bearer token alone can only read.
  x_club: { platform: x, clientId: VGhpc0lzTm90, clientSecret: \${X_CLUB_SECRET}, bearerToken: \${X_CLUB_BEARER} }
  x_team:
    platform: x
    apiKey: \${X_TEAM_KEY}
    apiSecret: \${X_TEAM_KEY_SECRET}
    accessToken: \${X_TEAM_TOKEN}
    accessSecret: \${X_TEAM_TOKEN_SECRET}
  # Another model at an OpenAI-compatible endpoint; default of url: ASSISTANT_URL.
  local: { platform: assistant, url: 'http://localhost:11434/v1', model: llama3.3, apiKey: \${LOCAL_KEY} }
  # The social platform of a sandbox in another process.
  club: { platform: sandbox, url: 'http://127.0.0.1:8081/social/api', token: \${CLUB_TOKEN} }`,
  notes: `- One bot serves all servers. If the file names the servers, \`DISCORD_GUILD_ID\` is optional. If the bot is missing in one server, the other servers
  still work.
- One account turns the sandbox off, as credentials in the environment do.`,
};

const DEFAULTS: SectionText = {
  introduction:
    'Without a default, a rule uses the only account that fits. If several accounts fit, `fanfare check` reports each rule without an account.',
  example: `defaults:
  streaming: twitch # for streams, and look-ups in Discord; one account
  social: [sandbox] # for posts; one or several accounts
  discord: [discord] # for messages; one or several servers
  assistant: assistant # for /ask and rules that ask the assistant`,
  notes: '',
};

const BUDGETS: SectionText = {
  introduction: 'X bills reads and posts. The other platforms bill nothing; Fanfare always respects their rate limits.',
  example: `budgets:
  x:
    month: 20 USD # the limit for a calendar month in UTC; default: no limit
    page: 0.10 USD # the limit for one page of a composed read; default: no composed reads of X
    requests: 10 # the number of requests for one page of a composed read
  twitch: { requests: 20 } # also for kick and bluesky`,
  notes: `- Fanfare stores the spending and adds the cost before each request. If the cost exceeds the rest of the budget, Fanfare sends no request.
  The error shows when the next month starts. Until then, rules pause. Posts fail, unless the next month starts within their retry period of a day.
- \`fanfare doctor\` shows the spending and the rest of the budget, and \`fanfare explain <rule>\` shows the monthly cost of a rule. The page and \`/status\`
  show accounts without budget left. To continue before the end of the month, raise \`month\` and restart.
- The prices are the public prices of X without discounts: a post costs 0.015 USD, a post with a link 0.20 USD, and reading a post 0.005 USD once a
  day. Also set a limit in the Developer Console of X, which counts all requests of your application.`,
};

const POSTS: SectionText = {
  introduction: 'The defaults also apply to accounts of the environment. A step with its own value overrides them.',
  example: `posts:
  mastodon: { language: de, visibility: unlisted } # default: the settings of the account
  bluesky: { language: de, requireDescription: true } # posts on Bluesky are always public
  x: { warning: Horror games, sensitive: true }`,
  notes: '',
};

const DISCORD: SectionText = {
  introduction: '[Commands in Discord](discord-commands.md#permissions) explains the permissions.',
  example: `discord:
  servers: any # each server that invites the bot; default: listed, so only servers with an account
  zone: Europe/Berlin # the default for servers without zone; default: UTC
  roles: # names or ids of roles; ids are safer, because names can change and can be reused
    look: '@everyone' # /live, /top, /game, /user, /videos, /clips, /search, /social, Why this message?; default: everyone
    ask: [Member, Subscriber] # /ask, /conversation and messages to the assistant; default: everyone
    post: [Editor] # /post; default: members who can manage the server
    operate: [Moderator, '1202584131993600003'] # /automation, /deliveries, /resolve, /status; default: members who can manage the server
  questions: # the quotas for questions to the assistant
    person: 20 per 1h # for one person
    server: 200 per 1h # for one server
    all: 500 per 1h # for all servers together; default: 500 per 1h with servers: any, otherwise no limit
  queue: ['09:00', '13:00', '18:00'] # the times of queued posts, in the time zone of the server
  shards: auto # the number that Discord recommends; or a number
  gateway: true # false: commands only come over HTTP, and the bot has no connection
  publicKey: 3f1c9a52e07b4d8896ab15cd20ef7746a1b2c3d4e5f60718293a4b5c6d7e8f90 # turns on commands over HTTP`,
  notes: `- With an empty list, for example \`post: []\`, only administrators of the server have the permission.
- \`publicKey\` and \`gateway\`: see [Receive Discord commands over HTTP](../operating/discord-over-http.md).`,
};

const SIGN_IN: SectionText = {
  introduction:
    'Without this section, people on other machines sign in with a password. [Open the page from other machines](../operating/reverse-proxy.md) has the steps.',
  example: `signIn:
  discord: # needs DISCORD_CLIENT_SECRET in the environment or in .env
    clientId: '1202584131993600002' # in the Developer Portal: OAuth2
    servers: ['1202584131993600001']
    viewer: everyone # all members of the servers; default: no one else
    editor: ['1202584131993600003'] # members with this role, or with Manage Server: managers; default: no one else
    admin: administrators # default`,
  notes: `- Members get the highest role that they have in any of the servers. Members without a role cannot sign in.
- Fanfare reads the roles at each sign-in. A session lasts a day, so removed roles count a day later at the latest. To end it at once:
  \`fanfare user remove <id>\`, with the id from \`fanfare user list\`. Remove the role in Discord first: until then, the member can sign in again.`,
};

const WEBHOOKS: SectionText = {
  introduction:
    'Fanfare sends signed requests when an announcement fails, needs a decision, or a rule is paused. [Get events as webhooks](../operating/webhooks.md) has the steps.',
  example: `webhooks:
  ops: # your name of the receiver
    url: https://ops.example.org/fanfare
    secret: \${OPS_WEBHOOK_SECRET} # whsec_ and 32 random bytes in Base64
    events: [delivery.failed, delivery.unknown, rule.paused] # default: all
    privateNetwork: false # true: the receiver is on this machine or in a private network`,
  notes: '',
};

/** The texts of the sections by key. */
export const SECTIONS: Readonly<Record<string, SectionText>> = {
  accounts: ACCOUNTS,
  defaults: DEFAULTS,
  budgets: BUDGETS,
  posts: POSTS,
  discord: DISCORD,
  signIn: SIGN_IN,
  webhooks: WEBHOOKS,
};

import { shapeAt, type Shape } from '#src/rules/shape/shape.ts';

const STREAMER = ['item.owner.displayName', 'item.author.displayName', 'item.displayName', 'item.authorName'];
const HANDLE = ['item.owner.handle', 'item.author.handle', 'item.handle'];
const GAME = ['item.game.name'];
const TITLE = ['item.title', 'item.name', 'item.text'];
const TEXT = ['item.text', 'item.content', 'item.description', 'item.title'];
const URL = ['item.url'];
const PICTURE = ['item.thumbnailUrl', 'item.owner.avatarUrl', 'item.imageUrl'];
const VIEWERS = ['item.viewerCount'];
const STARTED = ['item.startedAt', 'item.publishedAt', 'item.createdAt'];
const LENGTH = ['item.durationMs', 'item.lengthMs', 'duration(now - item.startedAt)'];
const UPTIME = ['duration(now - item.startedAt)', 'duration(item.durationMs)'];
const MEMBER = ['command.user.displayName', ...STREAMER];
const ZONE = '"Europe/Paris"';
const AGO = 'duration(now - item.startedAt)';
const AVATAR =
  'the account has it: add { id: who, do: streaming.getUserInfo, with: { user: "${{ item.owner.handle }}" } }, and read steps.who.avatarUrl';
const VIDEO =
  'look it up when the stream ends: add { id: vods, do: streaming.getUserVideos, with: { user: "${{ item.owner.handle }}" } }, and read steps.vods.items';
const PING = 'write mention: [everyone], or the name of a role, beside content';
/** Advice for texts by chance: an expression has the same value at each evaluation. */
export const LINES = 'write vars.lines[now.getMinutes() % vars.lines.size()], with the texts in vars.lines of the rule';
const SECRET = 'rules read no variables of the environment: write the value in vars of the rule';

/**
 * What the words of other bots and languages mean, by the word, or by the word in lower case without `_` and `.`: expressions, or advice.
 * The first one whose names exist counts; `item` is the record with the unknown field.
 */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  // Changes
  old: ['item.from'],
  before: ['item.from'],
  new: ['item.to'],
  after: ['item.to'],
  // People
  name: ['item.displayName', ...STREAMER, 'item.name'],
  displayname: STREAMER,
  user: MEMBER,
  username: ['item.handle', ...MEMBER],
  userlogin: HANDLE,
  userdisplayname: MEMBER,
  usermention: MEMBER,
  login: HANDLE,
  streamer: STREAMER,
  streamername: STREAMER,
  streamerdisplayname: STREAMER,
  streamers: STREAMER,
  channel: STREAMER,
  channelname: STREAMER,
  channeldisplayname: STREAMER,
  broadcaster: STREAMER,
  broadcastername: STREAMER,
  host: STREAMER,
  creator: STREAMER,
  author: STREAMER,
  authorname: STREAMER,
  sender: MEMBER,
  touser: MEMBER,
  member: MEMBER,
  // Streams and posts
  game: GAME,
  gamename: GAME,
  category: GAME,
  categoryname: GAME,
  playing: GAME,
  streamgame: GAME,
  channelgame: GAME,
  streamcategory: GAME,
  title: TITLE,
  status: TITLE,
  headline: TITLE,
  streamname: TITLE,
  streamtitle: TITLE,
  channeltitle: TITLE,
  videotitle: TITLE,
  content: TEXT,
  body: ['item.text', 'item.content', 'item.description'],
  message: TEXT,
  text: TEXT,
  summary: TEXT,
  description: TEXT,
  link: URL,
  url: URL,
  uri: URL,
  href: URL,
  permalink: URL,
  streamurl: URL,
  streamlink: URL,
  channelurl: URL,
  channellink: URL,
  videourl: URL,
  videolink: URL,
  image: PICTURE,
  picture: PICTURE,
  preview: PICTURE,
  thumbnail: PICTURE,
  streampreview: PICTURE,
  streamthumbnail: PICTURE,
  avatar: ['item.avatarUrl', 'item.owner.avatarUrl', AVATAR],
  avatarurl: ['item.owner.avatarUrl', AVATAR],
  logo: ['item.avatarUrl', 'item.owner.avatarUrl', AVATAR],
  profileimage: ['item.avatarUrl', 'item.owner.avatarUrl', AVATAR],
  profileimageurl: ['item.avatarUrl', 'item.owner.avatarUrl', AVATAR],
  profilepicture: ['item.avatarUrl', 'item.owner.avatarUrl', AVATAR],
  viewers: VIEWERS,
  viewercount: VIEWERS,
  streamviewers: VIEWERS,
  channelviewers: VIEWERS,
  currentviewers: VIEWERS,
  followers: ['item.followerCount'],
  views: ['item.viewCount'],
  likes: ['item.likeCount'],
  peakviewers: ['episode.peak.viewerCount'],
  maxviewers: ['episode.peak.viewerCount'],
  averageviewers: ['episode.average.viewerCount'],
  avgviewers: ['episode.average.viewerCount'],
  games: ['episode.games'],
  position: ['item.rank'],
  islive: ['episode.open'],
  live: ['episode.open'],
  isonline: ['episode.open'],
  vod: [VIDEO],
  vodurl: [VIDEO],
  vodlink: [VIDEO],
  recording: [VIDEO],
  // Times
  started: STARTED,
  starttime: STARTED,
  startedat: STARTED,
  createdat: STARTED,
  published: STARTED,
  date: [...STARTED, `date(now, ${ZONE})`],
  length: LENGTH,
  duration: LENGTH,
  uptime: UPTIME,
  streamuptime: UPTIME,
  channeluptime: UPTIME,
  timeago: [AGO],
  fromnow: [AGO],
  time: [`date(now, ${ZONE}, "time")`],
  timestamp: ['now'],
  currenttime: ['now'],
  datenow: ['now'],
  utcnow: ['now'],
  now: ['now'],
  today: [`date(now, ${ZONE}, "date")`],
  tomorrow: [`date(now + duration("1d"), ${ZONE}, "date")`],
  yesterday: [`date(now - duration("1d"), ${ZONE}, "date")`],
  hour: [`now.getHours(${ZONE})`],
  minute: [`now.getMinutes(${ZONE})`],
  day: [`now.getDate(${ZONE})`],
  weekday: [`now.getDayOfWeek(${ZONE})`],
  dayofweek: [`now.getDayOfWeek(${ZONE})`],
  month: [`now.getMonth(${ZONE}) + 1`],
  year: [`now.getFullYear(${ZONE})`],
  // Commands
  args: ['command.options', 'only a rule with command has options: write command.options.<name>'],
  arg: ['command.options', 'only a rule with command has options: write command.options.<name>'],
  options: ['command.options'],
  guild: ['command.server'],
  server: ['command.server'],
  // Other languages
  everyone: [PING],
  here: [PING],
  mention: [PING],
  role: [PING],
  env: [SECRET],
  process: [SECRET],
  secrets: [SECRET],
  none: ['no value is null: compare text with "", and write optional.hasValue() for a number'],
  nil: ['no value is null: compare text with "", and write optional.hasValue() for a number'],
  undefined: ['no value is null: compare text with "", and write optional.hasValue() for a number'],
  yes: ['write true'],
  no: ['write false'],
  Math: [`write the function alone: int(x + 0.5) rounds, and for a text by chance, ${LINES}`],
  Date: ['now'],
  random: [LINES],
};

/** Words for the item itself. */
export const ITEMS: ReadonlySet<string> = new Set(
  'stream streams post clip video article entry webhook payload trigger event data body'.split(' '),
);

/** What a word means: an expression, or advice in words. */
export interface MeantValue {
  readonly expression?: string;
  readonly advice?: string;
}

/** What people mean by a word, for example `uptime` or `stream.title`; undefined if that is unknown. `exists` knows the names here. */
export function meantValue(word: string, exists: (reference: string) => boolean): MeantValue | undefined {
  const parts = word.split('.').map((part) => part.toLowerCase().replaceAll('_', ''));
  const [first = '', last = first] = parts;
  const isKnown = ITEMS.has(first) || Object.hasOwn(MEANT, first);
  const key = [word, parts.join('')].find((one) => Object.hasOwn(MEANT, one)) ?? (isKnown ? last : '');
  const candidates = Object.hasOwn(MEANT, key) ? (MEANT[key] ?? []) : [];
  const expression = candidates.find((one) => !isAdvice(one) && readsOf(one).every(exists));
  if (expression !== undefined) return { expression };
  const advice = candidates.find(isAdvice);
  return advice === undefined ? undefined : { advice };
}

function isAdvice(candidate: string): boolean {
  return /^[a-z]+ [a-z]/u.test(candidate);
}

/** What an expression reads: variables with their fields, without the functions behind them. */
function readsOf(expression: string): readonly string[] {
  return expression.replaceAll(/"[^"]*"/gu, '').match(/(?<![\w.])[a-z]\w*(?![\w(])(?:\.\w+(?![\w(]))*/gu) ?? [];
}

/** Whether a record with this shape, under the name `item`, has what an expression reads. */
export function hasField(shape: Shape | undefined, reference: string): boolean {
  const [variable, ...fields] = reference.split('.');
  return shape !== undefined && variable === 'item' && shapeAt(shape, fields) !== undefined;
}

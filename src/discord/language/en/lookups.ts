import { pluralIn } from '../plural.ts';

const plural = pluralIn('en');

/** The look-up commands. */
export const lookups = {
  /** The language of the texts in BCP 47. Names within a sentence are in it. */
  tag: 'en',
  live: { name: 'live', description: 'Show whether a channel is live' },
  top: { name: 'top', description: 'The most watched streams and games' },
  topStreams: { name: 'streams', description: 'The streams that are watched most' },
  topGames: { name: 'games', description: 'The games that are watched most' },
  game: { name: 'game', description: 'Streams, clips and videos of a game' },
  gameStreams: { name: 'streams', description: 'Streams of a game' },
  gameClips: { name: 'clips', description: 'Clips of a game' },
  gameVideos: { name: 'videos', description: 'Videos of a game' },
  user: { name: 'user', description: 'Who somebody is' },
  videos: { name: 'videos', description: 'The videos of a channel' },
  clips: { name: 'clips', description: 'Clips from a channel' },
  search: { name: 'search', description: 'Look for streams, channels, games or videos' },
  social: { name: 'social', description: 'Posts and people' },
  socialUser: { name: 'user', description: 'Who somebody is' },
  socialPosts: { name: 'posts', description: 'What somebody posts' },
  socialPost: { name: 'post', description: 'One post' },
  socialSearch: { name: 'search', description: 'Look for posts or people' },
  socialTrends: { name: 'trends', description: 'What people talk about' },
  socialThread: { name: 'thread', description: 'A post and its answers' },

  options: {
    account: { name: 'account', description: 'Where to look' },
    channel: { name: 'user', description: 'The name in the address of the channel' },
    person: { name: 'user', description: 'Their name, with or without @' },
    channelName: { name: 'name', description: 'The name in the address of the channel' },
    game: { name: 'game', description: 'Its name' },
    tags: { name: 'tags', description: 'Only streams with one of these tags, with commas between them' },
    gameTags: { name: 'tags', description: 'Only games with streams that have one of these tags, with commas between them' },
    sort: { name: 'sort', description: 'In which order' },
    language: { name: 'language', description: 'In which language' },
    keyword: { name: 'keyword', description: 'What to look for' },
    kind: { name: 'for', description: 'What kind of thing' },
    post: { name: 'post', description: 'The address of the post, or its id' },
    replies: { name: 'replies', description: 'Whether to show their answers to others, too' },
  },
  sorts: {
    mostWatched: 'Most watched first',
    leastWatched: 'Least watched first',
    justLive: 'Just gone live first',
    newest: 'Newest first',
    mostViewed: 'Most viewed first',
    trending: 'Trending first',
    lastDay: 'Most viewed of the last day',
    lastWeek: 'Most viewed of the last week',
    lastMonth: 'Most viewed of the last month',
    allTime: 'Most viewed of all time',
  },
  kinds: { streams: 'Streams', channels: 'Channels', games: 'Games', videos: 'Videos', clips: 'Clips' },
  postKinds: { top: 'The posts that fit best', latest: 'The latest posts', media: 'Posts with pictures', people: 'People' },
  yes: 'Yes',
  no: 'No',
  otherLanguage: 'Another language',
  signLanguage: 'American Sign Language',

  buttons: {
    again: 'Refresh',
    watch: 'Watch',
    channel: 'To the channel',
    profile: 'To the profile',
    post: 'To the post',
  },

  /** Headings above the cards. */
  on: (account: string) => ` on ${account}`,
  filters: (language: string | undefined, tags: readonly string[]) =>
    [language === undefined ? '' : ` in ${language}`, tags.length === 0 ? '' : ` with the tag ${tags.join(' or ')}`].join(''),
  isLive: (name: string, on: string) => `${name} is live${on}:`,
  isNotLive: (name: string, on: string) => `${name} is not live${on} at the moment.`,
  mostWatched: (on: string, filters: string) => `Most watched${on}${filters}:`,
  topGamesAre: (on: string, filters: string) => `The most watched games${on}${filters}:`,
  streamsOf: (game: string, on: string, filters: string, order: string) =>
    order === 'VIEWER_COUNT_ASC'
      ? `Least watched in ${game}${on}${filters}:`
      : order === 'STARTED_AT'
        ? `Just gone live in ${game}${on}${filters}:`
        : `Most watched in ${game}${on}${filters}:`,
  clipsOf: (whose: string, on: string, filters: string, order: string) => `Clips of ${whose}${on}${filters}, ${order}:`,
  videosOf: (whose: string, on: string, filters: string, order: string) => `Videos of ${whose}${on}${filters}, ${order}:`,
  postsOf: (whose: string, on: string) => `What ${whose} posts${on}:`,
  found: (kind: string, keyword: string, on: string) => `${kind} for ${keyword}${on}:`,
  talkedAbout: (on: string) => `People talk about${on}:`,
  thread: (on: string) => `A post${on} and its answers:`,

  /** Empty results. */
  nobodyStreams: (what: string) => `Nobody streams ${what} at the moment. Press “Refresh” later, or look at \`/top streams\`.`,
  nobodyLive: 'No live stream fits that. Leave out the tags or the language, or click “Refresh” later.',
  noGames: 'No watched game fits that. Leave out the tags, or click “Refresh” later.',
  noClips: (whose: string) => `There are no clips of ${whose} that fit. Try another order or language.`,
  noChannelClips: (whose: string) => `There are no clips of ${whose} that fit. Try another order.`,
  noVideos: (whose: string) =>
    `There are no videos of ${whose}. Most channels keep theirs for some weeks only; clips stay: try \`/clips\`.`,
  noGameVideos: (game: string) => `There are no videos of ${game} that fit. Try another order or language.`,
  noPosts: (whose: string) => `${whose} has posted nothing yet that can be seen from here.`,
  nothingFound: (keyword: string) =>
    `Nothing was found for ${keyword}. Try fewer letters, another spelling, or look for another kind of thing.`,
  noTrends: 'Nothing is talked about much at the moment. Press “Refresh” later.',
  thatWasAll: 'That was all. Go back, or start from the first page.',
  incomplete: 'Not everything was looked through: there may be more than this.',

  /** Errors that the user can correct. */
  nameNeeded: 'Write the name as it stands in the address of the channel.',
  wordNeeded: 'Write at least one letter of what you look for.',
  nobodyCalled: (name: string) =>
    `There is nobody called “${name}”. Pick one from the list that appears while you type, or write the name as it stands in the address of the channel.`,
  nobodyKnown: (name: string) => `There is nobody called “${name}”. Check the spelling, or find them with \`/social search\`.`,
  noGame: (name: string) => `There is no game called “${name}”. Pick one from the list that appears while you type.`,
  noPost: 'There is no such post, or it was deleted. Copy its address from the platform and try again.',
  noLanguage: (typed: string) => `“${typed}” is not a language that can be asked for. Pick one from the list that appears while you type.`,
  noAccount: (typed: string, accounts: string) => `There is no account called “${typed}”. There are: ${accounts}.`,
  cannot: (platform: string) => `${platform} does not offer that. Try it without this option, or on another account.`,
  videosByGame: (platform: string) =>
    `${platform} finds videos only by the exact name of a game. Write one, or use \`/videos\` for a channel.`,
  old: 'This list has expired. Run the command again.',

  cards: {
    untitled: 'Untitled',
    watching: (figure: string, _count: number) => `**${figure}** watching`,
    channels: (figure: string, count: number) => `${figure} ${plural(count, 'channel', 'channels')}`,
    since: (time: string) => `started ${time}`,
    adults: '18+',
    live: 'Live now',
    views: (figure: string, count: number) => `${figure} ${plural(count, 'view', 'views')}`,
    cutBy: (name: string) => `cut by ${name}`,
    kinds: { archive: 'Recording', highlight: 'Highlight', upload: 'Upload' },
    followers: (figure: string, count: number) => `**${figure}** ${plural(count, 'follower', 'followers')}`,
    following: (figure: string, _count: number) => `follows ${figure}`,
    posts: (figure: string, count: number) => `${figure} ${plural(count, 'post', 'posts')}`,
    partner: 'Partner',
    affiliate: 'Affiliate',
    bot: 'Bot',
    protected: 'Private',
    hereSince: (day: string) => `since ${day}`,
    repost: '🔁 Repost',
    reply: '↳ Answer',
    edited: 'edited',
    open: 'open',
    quoteHidden: 'A post that cannot be shown',
    sensitive: 'Its pictures are marked as sensitive and not shown here.',
    alt: (text: string) => `Picture: ${text}`,
    media: { image: 'picture', video: 'video', gif: 'GIF', audio: 'sound' },
    moreAnswers: (count: number) => `${count} more`,
    voters: (figure: string, count: number) => `${figure} ${plural(count, 'vote', 'votes')}`,
    pollEnds: (time: string) => `ends ${time}`,
    pollOver: 'closed',
  },
};

import { pluralIn } from '#src/admin/language/plural.ts';
import type { Texts } from '../texts.ts';

const plural = pluralIn('de');

/** The look-up commands. */
export const lookups: Texts['lookups'] = {
  tag: 'de',
  live: { name: 'live', description: 'Zeigen, ob ein Kanal live ist' },
  top: { name: 'top', description: 'Die meistgesehenen Streams und Spiele zeigen' },
  topStreams: { name: 'streams', description: 'Die Streams mit den meisten Zuschauern zeigen' },
  topGames: { name: 'spiele', description: 'Die Spiele mit den meisten Zuschauern zeigen' },
  game: { name: 'spiel', description: 'Streams, Clips und Videos zu einem Spiel zeigen' },
  gameStreams: { name: 'streams', description: 'Streams zu einem Spiel zeigen' },
  gameClips: { name: 'clips', description: 'Clips zu einem Spiel zeigen' },
  gameVideos: { name: 'videos', description: 'Videos zu einem Spiel zeigen' },
  user: { name: 'kanal', description: 'Ein Profil zeigen' },
  videos: { name: 'videos', description: 'Die Videos eines Kanals zeigen' },
  clips: { name: 'clips', description: 'Clips aus einem Kanal zeigen' },
  search: { name: 'suche', description: 'Nach Streams, Kanälen, Spielen oder Videos suchen' },
  social: { name: 'social', description: 'Posts und Profile nachschlagen' },
  socialUser: { name: 'profil', description: 'Ein Profil zeigen' },
  socialPosts: { name: 'posts', description: 'Die Posts eines Profils zeigen' },
  socialPost: { name: 'post', description: 'Einen Post zeigen' },
  socialSearch: { name: 'suche', description: 'Nach Posts oder Profilen suchen' },
  socialTrends: { name: 'trends', description: 'Aktuelle Trends zeigen' },
  socialThread: { name: 'thread', description: 'Einen Post und seine Antworten zeigen' },

  options: {
    account: { name: 'plattform', description: 'Die Plattform' },
    channel: { name: 'streamer', description: 'Der Name aus der Adresse des Kanals' },
    person: { name: 'name', description: 'Der Name, mit oder ohne @' },
    game: { name: 'spiel', description: 'Der Name des Spiels' },
    tags: { name: 'tags', description: 'Nur Streams mit einem dieser Tags, durch Kommas getrennt' },
    gameTags: { name: 'tags', description: 'Nur Spiele, zu denen es Streams mit einem dieser Tags gibt, durch Kommas getrennt' },
    sort: { name: 'reihenfolge', description: 'Die Reihenfolge der Ergebnisse' },
    language: { name: 'sprache', description: 'Die Sprache' },
    keyword: { name: 'suchwort', description: 'Der Suchbegriff' },
    kind: { name: 'art', description: 'Die Art der Ergebnisse' },
    post: { name: 'post', description: 'Die Adresse des Posts oder seine ID' },
    replies: { name: 'antworten', description: 'Ob auch Antworten an andere gezeigt werden' },
  },
  sorts: {
    mostWatched: 'Meiste Zuschauer zuerst',
    leastWatched: 'Wenigste Zuschauer zuerst',
    justLive: 'Neueste Streams zuerst',
    newest: 'Neueste zuerst',
    mostViewed: 'Meiste Aufrufe zuerst',
    trending: 'Angesagte zuerst',
    lastDay: 'Meiste Aufrufe am letzten Tag',
    lastWeek: 'Meiste Aufrufe in der letzten Woche',
    lastMonth: 'Meiste Aufrufe im letzten Monat',
    allTime: 'Meiste Aufrufe aller Zeiten',
  },
  kinds: { streams: 'Streams', channels: 'Kanäle', games: 'Spiele', videos: 'Videos', clips: 'Clips' },
  postKinds: { top: 'Beste Treffer', latest: 'Die neuesten Posts', media: 'Posts mit Bildern', people: 'Profile' },
  yes: 'Ja',
  no: 'Nein',
  otherLanguage: 'Eine andere Sprache',
  signLanguage: 'Amerikanische Gebärdensprache',

  buttons: {
    again: 'Aktualisieren',
    watch: 'Zuschauen',
    channel: 'Zum Kanal',
    profile: 'Zum Profil',
    post: 'Zum Post',
  },

  on: (account) => ` auf ${account}`,
  filters: (language, tags) =>
    [
      language === undefined ? '' : `, Sprache: ${language}`,
      tags.length === 0 ? '' : tags.length === 1 ? ` mit dem Tag ${tags[0]}` : ` mit einem der Tags ${tags.join(', ')}`,
    ]
      .toReversed()
      .join(''),
  isLive: (name, on) => `${name} ist${on} live:`,
  isNotLive: (name, on) => `${name} ist${on} gerade nicht live.`,
  mostWatched: (on, filters) => `Die meistgesehenen Streams${on}${filters}:`,
  topGamesAre: (on, filters) => `Die meistgesehenen Spiele${on}${filters}:`,
  streamsOf: (game, on, filters, order) =>
    order === 'VIEWER_COUNT_ASC'
      ? `Die am wenigsten gesehenen Streams zu ${game}${on}${filters}:`
      : order === 'STARTED_AT'
        ? `Die neuesten Streams zu ${game}${on}${filters}:`
        : `Die meistgesehenen Streams zu ${game}${on}${filters}:`,
  clipsOf: (whose, on, filters, order) => `Clips zu ${whose}${on}${filters}, ${order}:`,
  videosOf: (whose, on, filters, order) => `Videos zu ${whose}${on}${filters}, ${order}:`,
  postsOf: (whose, on) => `Posts von ${whose}${on}:`,
  found: (kind, keyword, on) => `${kind} zu ${keyword}${on}:`,
  talkedAbout: (on) => `Trends${on}:`,
  thread: (on) => `Ein Post${on} und seine Antworten:`,

  nobodyStreams: (what) => `${what} streamt gerade niemand. Klicke später auf „Aktualisieren“, oder verwende \`/top streams\`.`,
  nobodyLive: 'Kein Stream passt. Lass die Tags oder die Sprache weg, oder klicke später auf „Aktualisieren“.',
  noGames: 'Kein Spiel passt. Lass die Tags weg, oder klicke später auf „Aktualisieren“.',
  noClips: (whose) => `Zu ${whose} gibt es keine passenden Clips. Versuche es mit einer anderen Reihenfolge oder Sprache.`,
  noChannelClips: (whose) => `Zu ${whose} gibt es keine passenden Clips. Versuche es mit einer anderen Reihenfolge.`,
  noVideos: (whose) =>
    `Zu ${whose} gibt es keine Videos. Die meisten Kanäle löschen Videos nach einigen Wochen. Clips bleiben: Versuche es mit \`/clips\`.`,
  noGameVideos: (game) => `Zu ${game} gibt es keine passenden Videos. Versuche es mit einer anderen Reihenfolge oder Sprache.`,
  noPosts: (whose) => `${whose} hat keine öffentlichen Posts.`,
  nothingFound: (keyword) =>
    `Zu ${keyword} wurde nichts gefunden. Versuche es mit weniger Buchstaben, einer anderen Schreibweise oder einer anderen Art.`,
  noTrends: 'Zurzeit gibt es keine Trends. Klicke später auf „Aktualisieren“.',
  thatWasAll: 'Es gibt keine weiteren Ergebnisse. Geh zurück, oder beginne bei der ersten Seite.',
  incomplete: 'Die Suche war unvollständig: Vielleicht gibt es weitere Ergebnisse.',

  nameNeeded: 'Gib den Namen aus der Adresse des Kanals ein.',
  tooManyHere: (retryAt) =>
    `Die Mitglieder dieses Servers haben in der letzten Minute viel nachgeschlagen. Versuche es ${retryAt} noch einmal.`,
  fewSearches: (platform, retryAt) => `${platform} erlaubt nur wenige Suchen am Tag. Du kannst dort ${retryAt} wieder suchen.`,
  wordNeeded: 'Gib mindestens einen Buchstaben ein.',
  nobodyCalled: (name, on) =>
    `Der Name „${name}“ wurde${on} nicht gefunden. Wähle einen aus der Liste, die beim Tippen erscheint, oder gib den Namen aus der Adresse des Kanals ein.`,
  nobodyKnown: (name, on) => `Der Name „${name}“ wurde${on} nicht gefunden. Prüfe die Schreibweise, oder verwende \`/social suche\`.`,
  noGame: (name, on) => `Das Spiel „${name}“ gibt es${on} nicht. Wähle eins aus der Liste, die beim Tippen erscheint.`,
  noPost: 'Diesen Post gibt es nicht, oder er wurde gelöscht. Kopiere seine Adresse von der Plattform und versuche es noch einmal.',
  noLanguage: (typed) => `„${typed}“ ist keine unterstützte Sprache. Wähle eine aus der Liste, die beim Tippen erscheint.`,
  noAccount: (typed, accounts) => `Die Plattform „${typed}“ gibt es nicht. Es gibt: ${accounts}.`,
  cannot: (platform) => `${platform} unterstützt das nicht. Versuche es ohne diese Option oder auf einer anderen Plattform.`,
  videosByGame: (platform) =>
    `${platform} findet Videos nur über den genauen Namen eines Spiels. Gib den Namen ein, oder verwende \`/videos\` für einen Kanal.`,
  old: 'Diese Liste ist abgelaufen. Gib den Befehl noch einmal ein.',

  cards: {
    untitled: 'Ohne Titel',
    watching: (figure, count) => `**${figure}** ${plural(count, 'schaut', 'schauen')} zu`,
    channels: (figure, count) => `${figure} ${plural(count, 'Kanal', 'Kanäle')}`,
    since: (time) => `gestartet ${time}`,
    adults: 'ab 18',
    live: 'Gerade live',
    views: (figure, count) => `${figure} ${plural(count, 'Aufruf', 'Aufrufe')}`,
    cutBy: (name) => `Clip von ${name}`,
    kinds: { archive: 'Aufzeichnung', highlight: 'Highlight', upload: 'Upload' },
    followers: (figure, _count) => `**${figure}** Follower`,
    following: (figure, _count) => `folgt ${figure}`,
    posts: (figure, count) => `${figure} ${plural(count, 'Post', 'Posts')}`,
    partner: 'Partner',
    affiliate: 'Affiliate',
    bot: 'Bot',
    protected: 'Privat',
    hereSince: (day) => `seit ${day}`,
    repost: '🔁 Repost',
    reply: '↳ Antwort',
    edited: 'bearbeitet',
    open: 'öffnen',
    quoteHidden: 'Nicht verfügbarer Post',
    sensitive: 'Die Bilder sind als heikel markiert und werden hier nicht gezeigt.',
    alt: (text) => `Bild: ${text}`,
    media: { image: 'Bild', video: 'Video', gif: 'GIF', audio: 'Ton' },
    moreAnswers: (count) => `${count} weitere`,
    voters: (figure, count) => `${figure} ${plural(count, 'Stimme', 'Stimmen')}`,
    pollEnds: (time) => `endet ${time}`,
    pollOver: 'beendet',
  },
};

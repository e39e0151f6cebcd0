import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import { checkRule, type CheckRuleOptions } from '#src/rules/check/check-rule.ts';
import { accountForAllServers } from '#src/rules/accounts.ts';
import { FOLLOWED } from '#src/rules/lists.ts';
import { writtenId, type RuleSet } from '#src/rules/rule-set.ts';

/** A rule of the program, which runs without being in the rules folder while its list exists. */
export interface ShippedRule {
  /** The list of `people`. */
  readonly list: string;
  /** In place of the path of a file. */
  readonly file: string;
  readonly source: string;
}

/** The texts of the cards in English and in German. They are not variables, because a firing stores its variables. */
const TEXTS = {
  live: ['🔴 **{name}** is live!', '🔴 **{name}** ist live!'],
  started: ['started', 'gestartet'],
  watching: ['watching', 'Zuschauer'],
  streams: ['{name} streams {game}: {title}', '{name} streamt {game}: {title}'],
  watch: ['Watch on {platform}', 'Auf {platform} ansehen'],
  over: ['**{name}** was live.', '**{name}** war live.'],
  ended: ['ended', 'beendet'],
  offline: ['{name} is offline', '{name} ist offline'],
  game: ['Game', 'Spiel'],
  length: ['Length', 'Dauer'],
  peak: ['Peak', 'Meiste Zuschauer'],
  games: ['Games', 'Spiele'],
  recording: ['Watch the recording', 'Aufzeichnung ansehen'],
} as const;

/** The expression of a text in the language of the server of an entry. */
function word(name: keyof typeof TEXTS): string {
  const [english, german] = TEXTS[name];
  return `(string(item.person[?'language'].orValue('en')) == 'de' ? '${german}' : '${english}')`;
}

const WATCH_BUTTONS = `item.accounts.map(one, { 'label': fill(${word('watch')}, { 'platform': vars.platforms[?one.platform].orValue(one.platform) }), 'url': one.url })`;
const CONTENT = `fill(item.person[?'message'].orValue(${word('live')}), { 'name': item.owner.displayName, 'title': item.title, 'game': item.game.name, 'url': item.url })`;
const ALT_TEXT = `fill(${word('streams')}, { 'name': item.owner.displayName, 'game': item.game.name, 'title': item.title })`;
/** The parts of a card that change during a stream. Lines of a card can follow. */
const CURRENT = `      buttons: "\${{ ${WATCH_BUTTONS} }}"
      embed:
        title: "\${{ item.title }}"
        fields:
          - { name: "\${{ ${word('game')} }}", value: "\${{ item.game.name }}", inline: true }
        thumbnail: "\${{ item.game.boxArtUrl }}"`;
const COLOR = `item.person[?'color'].orValue(9520895)`;

/** The rule over the streamers that people follow with `/follow`. A rule with the same id in the folder replaces it. */
export const FOLLOWED_RULE: ShippedRule = {
  list: FOLLOWED,
  file: 'fanfare/followed.yaml',
  source: `id: followed
about: Announces the streamers that people follow in Discord, in the channel of each server.

vars: { platforms: { twitch: Twitch, kick: Kick } }

when:
  every: 1m
  people: followed
  where: >-
    string(item.person[?'only'].orValue('')).trim() == '' || string(item.person.only).split(',').exists(word,
    word.trim() != '' && (either(item.game.name, '') + ' ' + item.title).lowerAscii().contains(word.trim().lowerAscii()))
  grace: 15m # a stream that returns within this time has the same card

# Each server follows its own streamers, so one busy evening is no defect.
fuse: { firings: 20000, per: 1h }

then:
  - id: card
    do: discord.send
    as: discord
    if: item.person[?'paused'].orValue(false) != true
    with:
      channel: "\${{ item.person.channel }}"
      content: "\${{ ${CONTENT} }}"
      mention: "\${{ item.person[?'ping'].hasValue() ? [rx(string(item.person.ping), '^[0-9]{15,20}$') ? '<@&' + string(item.person.ping) + '>' : string(item.person.ping)] : [] }}"
      embed:
        author: { name: "\${{ item.owner.displayName }}", url: "\${{ item.url }}", icon: "\${{ item.owner.avatarUrl }}" }
        title: "\${{ item.title }}"
        url: "\${{ item.url }}"
        description: "\${{ ${word('started')} }} \${{ discordTime(item.startedAt, 'R') }}, \${{ compact(item.viewerCount) }} \${{ ${word('watching')} }}"
        fields:
          - { name: "\${{ ${word('game')} }}", value: "\${{ item.game.name }}", inline: true }
        thumbnail: "\${{ item.game.boxArtUrl }}"
        image: "\${{ item.thumbnailUrl }}"
        altText: "\${{ ${ALT_TEXT} }}"
        color: "\${{ ${COLOR} }}"
      buttons: "\${{ ${WATCH_BUTTONS} }}"
  - id: live
    do: discord.addRole
    as: discord
    if: item.person[?'member'].hasValue() && item.person[?'liveRole'].hasValue()
    with: { user: "\${{ item.person.member }}", role: "\${{ item.person.liveRole }}", server: "\${{ item.person.server }}" }

while: # only a new title, game or platform is an edit, so that thousands of cards fit into the limits of Discord
  - do: discord.edit
    as: discord
    if: "!episode.returned"
    with:
      message: "\${{ steps.card.id }}"
${CURRENT}
  # The end closed the card, and the streamer is back in the list or on the platform. One edit, because an old message has to wait for its next one.
  - do: discord.edit
    as: discord
    if: episode.returned
    with:
      message: "\${{ steps.card.id }}"
      content: "\${{ ${CONTENT} }}"
${CURRENT}
        description: "\${{ ${word('started')} }} \${{ discordTime(item.startedAt, 'R') }}"
        image: ""
        altText: "\${{ ${ALT_TEXT} }}"
        color: "\${{ ${COLOR} }}"
  - do: discord.addRole
    as: discord
    if: >-
      episode.returned && item.person[?'member'].orValue('') == either(steps.live.id, '')
      && item.person[?'liveRole'].orValue('') == either(steps.live.role.id, '')
    with: { user: "\${{ steps.live.id }}", role: "\${{ steps.live.role.id }}", server: "\${{ item.person.server }}" }

finally:
  - do: discord.removeRole # the role that was added, because the entry can change during the stream
    as: discord
    with: { user: "\${{ steps.live.id }}", role: "\${{ steps.live.role.id }}", server: "\${{ item.person.server }}" }
  - do: discord.delete
    as: discord
    if: item.person[?'deleteAfter'].orValue(false) == true
    with: { message: "\${{ steps.card.id }}" }
  - do: discord.edit
    as: discord
    if: item.person[?'deleteAfter'].orValue(false) != true
    with:
      message: "\${{ steps.card.id }}"
      content: "\${{ fill(${word('over')}, { 'name': item.owner.displayName }) }}"
      embed:
        description: "\${{ ${word('ended')} }} \${{ discordTime(now, 'R') }}"
        fields:
          - { name: "\${{ ${word('length')} }}", value: "\${{ duration(episode.lengthMs) }}", inline: true }
          - { name: "\${{ ${word('peak')} }}", value: "\${{ compact(episode.peak.viewerCount) }}", inline: true }
          - { name: "\${{ ${word('games')} }}", value: "\${{ join(episode.games, ', ') }}" }
        image: "\${{ either(item.owner.bannerUrl, '') }}"
        altText: "\${{ fill(${word('offline')}, { 'name': item.owner.displayName }) }}"
        color: 0x747f8d
      buttons: []
  - id: vods # after the grace, platforms list the recording
    do: streaming.getUserVideos
    as: "\${{ item.account }}"
    if: item.person[?'deleteAfter'].orValue(false) != true
    with: { user: "\${{ item.owner.handle }}", sort: TIME }
    onError: continue
  - do: discord.edit
    as: discord
    if: steps.vods.items.exists(v, v.streamId == item.id)
    with:
      message: "\${{ steps.card.id }}"
      buttons:
        - { label: "\${{ ${word('recording')} }}", url: "\${{ steps.vods.items.filter(v, v.streamId == item.id)[0].url }}" }
`,
};

/** All rules of the program. */
const SHIPPED_RULES: readonly ShippedRule[] = [FOLLOWED_RULE];

/** Whether a rule is of the program, and not of the folder. */
export function isShipped({ file }: Pick<CheckedFile, 'file'>): boolean {
  return SHIPPED_RULES.some((shipped) => shipped.file === file);
}

/** The shipped rules whose lists exist. A folder with a rule of the same id, usable or not, has its own. */
export function shippedFiles(
  found: readonly CheckedFile[],
  { names, ...options }: Omit<CheckRuleOptions, 'file' | 'source' | 'lists'> & { readonly names: readonly string[] },
): readonly CheckedFile[] {
  return SHIPPED_RULES.filter(
    ({ list, source }) => names.includes(list) && !found.some((file) => writtenId(file.source) === writtenId(source)),
  ).map(({ file, source }) => checkShipped({ file, source }, options));
}

/** A set of a folder with the shipped rules of the running one, which no folder has. */
export function withShipped(folder: RuleSet, { inForce, rules }: RuleSet): RuleSet {
  const shipped = [...inForce].filter(([name, file]) => isShipped(file) && !folder.inForce.has(name));
  return {
    ...folder,
    inForce: new Map([...folder.inForce, ...shipped]),
    rules: [...folder.rules, ...rules.filter(({ file }) => shipped.some(([, one]) => one.file === file))],
  };
}

const checked = new WeakMap<object, Map<string, CheckedFile>>();

/** A shipped rule never changes, so each set of accounts checks it once. */
function checkShipped(
  { file, source }: Pick<ShippedRule, 'file' | 'source'>,
  options: Omit<CheckRuleOptions, 'file' | 'source'>,
): CheckedFile {
  const known = checked.get(options.accounts) ?? new Map<string, CheckedFile>();
  checked.set(options.accounts, known);
  const account = accountForAllServers(options.accounts['discord']?.all ?? []);
  const own = source.replaceAll('as: discord\n', `as: ${account}\n`);
  const one = known.get(file) ?? { ...checkRule({ file, source: own, ...options }), file, source: own };
  known.set(file, one);
  return one;
}

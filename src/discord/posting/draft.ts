import { randomUUID } from 'node:crypto';
import { MessageFlags, type ChatInputCommandInteraction, type ModalSubmitInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { OfferedPicture, PostDraft, Posting } from '#src/posting/posting.ts';
import type { Caller } from '../caller.ts';
import type { Texts } from '../language/texts.ts';
import { dateTimeWithDistance } from '../text/format.ts';
import { escaped } from '../text/untrusted-text.ts';
import { previewMessage } from './preview-message.ts';

/** The parts that all interactions about posts use. */
export interface PostingContext {
  readonly posting: Posting;
  readonly caller: Caller;
  readonly clock: Clock;
}

/** The draft in the options of a command. Throws a {@link UserError} if an option is invalid. */
export function draftFrom({ options }: ChatInputCommandInteraction, context: PostingContext): PostDraft {
  const { posting, caller } = context;
  const subcommand = options.getSubcommand();
  const picture = options.getAttachment('picture');
  const altText = options.getString('alt')?.trim() || undefined;
  const offered: OfferedPicture | undefined = picture ? { url: picture.url, sizeBytes: picture.size, altText } : undefined;
  const when =
    subcommand === 'schedule' ? { at: parseTime(options.getString('time', true), context) } : subcommand === 'queue' ? 'queue' : 'now';
  return {
    id: randomUUID(),
    owner: caller.id,
    server: caller.server?.id,
    zone: caller.zone,
    when,
    text: withLink(options.getString('text')?.trim() ?? '', options.getString('link')?.trim() ?? '', caller),
    accounts: namedAccounts(options.getString('accounts') ?? '', posting, caller.texts),
    tooLong: options.getString('long') === 'truncate' ? 'truncate' : 'thread',
    ...(offered && { offered }),
  };
}

function withLink(text: string, address: string, { texts }: Caller): string {
  if (address === '') return text;
  if (!/^https?:\/\/[^\s<>]+$/iu.test(address) || !URL.canParse(address)) throw new UserError(texts.posting.errors.noLink);
  return `${text} ${address}`.trim();
}

/** The accounts in a list with commas, each once; without names, the default accounts. */
function namedAccounts(typed: string, posting: Posting, { posting: { errors } }: Texts): readonly string[] {
  const known = posting.accounts();
  if (known.length === 0) throw new UserError(errors.noAccount);
  const names = namesIn(typed).filter((name) => name !== '');
  if (names.length === 0) {
    const defaults = known.filter(({ isDefault }) => isDefault);
    return (defaults.length > 0 ? defaults : known).map(({ name }) => name);
  }
  const found = names.map((wanted) => {
    const account = known.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (account) return account.name;
    const all = known.map(({ name }) => name).join(', ');
    throw new UserError(errors.unknownAccount(escaped(wanted, 100), escaped(all, 1000)));
  });
  return [...new Set(found)];
}

/** Suggestions for the last name in a list with commas. */
export function suggestAccounts(typed: string, posting: Posting): readonly string[] {
  const names = namesIn(typed);
  const last = names.pop() ?? '';
  const before = names.map((name) => `${name}, `).join('');
  const left = posting.accounts().filter(({ name }) => !names.includes(name) && name.toLowerCase().includes(last.toLowerCase()));
  return left.map(({ name }) => before + name);
}

function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim().replace(/^@/u, ''));
}

/** The instant that a user typed. Throws a {@link UserError} that shows how Fanfare understood an unclear time. */
export function parseTime(typed: string, { posting, caller: { zone, texts } }: PostingContext): Date {
  const { time } = texts.posting.errors;
  const parsed = posting.readTime(typed, zone);
  switch (parsed.kind) {
    case 'at':
      return parsed.at;
    case 'past':
    case 'far':
    case 'skipped':
      throw new UserError(time[parsed.kind](dateTimeWithDistance(parsed.at)));
    case 'ambiguous':
      throw new UserError(time.ambiguous(dateTimeWithDistance(parsed.either), dateTimeWithDistance(parsed.or)));
    case 'twice': {
      const [either, or] = [dateTimeWithDistance(parsed.either), dateTimeWithDistance(parsed.or)];
      throw new UserError(time.twice(either, or, withOffset(parsed.either, zone)));
    }
    default:
      throw new UserError(time[parsed.kind]);
  }
}

/** As `2027-10-31 02:30+02:00`. */
function withOffset(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
  const offset = part('timeZoneName').replace('GMT', '') || 'Z';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}${offset}`;
}

/** Stores a draft and shows its preview to its author. The preview replaces the previous one. */
export async function showPreview(
  interaction: ChatInputCommandInteraction | ModalSubmitInteraction,
  draft: PostDraft,
  { posting, caller }: PostingContext,
): Promise<void> {
  const update = interaction.isModalSubmit() && interaction.isFromMessage() ? interaction : undefined;
  const { offered, picture } = draft;
  if (!offered || picture) {
    await posting.drafts.keep(draft);
    const preview = await previewMessage(draft, posting, caller.texts);
    if (update) await update.update(preview);
    else await interaction.reply({ ...preview, flags: MessageFlags.Ephemeral });
    return;
  }
  // A download may take longer than Discord waits, and the address of the picture expires.
  if (update) await update.deferUpdate();
  else await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const stored = await posting.storePicture(offered, caller.signal);
  if (typeof stored === 'string') throw new UserError(caller.texts.posting.errors[stored]);
  const complete = { ...draft, picture: stored };
  await posting.drafts.keep(complete);
  await interaction.editReply(await previewMessage(complete, posting, caller.texts));
}

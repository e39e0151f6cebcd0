import { randomUUID } from 'node:crypto';
import { MessageFlags, type ChatInputCommandInteraction, type ModalSubmitInteraction } from 'discord.js';
import type { PostActions } from '#src/admin/actions/post-actions.ts';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { OfferedPicture, PostDraft, Posting } from '#src/engine/posting/posting.ts';
import type { Caller } from '#src/discord/caller.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { instantOf } from '#src/discord/text/typed-time.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { previewMessage } from './preview-message.ts';

/** The parts that all interactions about posts use. */
export interface PostingContext {
  readonly posting: Posting;
  readonly actions: PostActions;
  readonly caller: Caller;
  readonly clock: Clock;
}

/** The draft in the options of a command. Throws a {@link UserError} if an option is invalid. */
export function draftFrom({ options }: ChatInputCommandInteraction, context: PostingContext): PostDraft {
  const { posting, caller } = context;
  const subcommand = options.getSubcommand();
  const picture = options.getAttachment('picture');
  const altText = options.getString('alt')?.trim() || undefined;
  if (altText !== undefined && !picture) throw new UserError(caller.texts.posting.errors.altWithoutPicture);
  const warning = options.getString('warning')?.trim() || undefined;
  const offered: OfferedPicture | undefined = picture ? { url: picture.url, sizeBytes: picture.size, altText } : undefined;
  const when =
    subcommand === 'schedule'
      ? { at: instantOf(posting.readTime(options.getString('time', true), caller.zone), caller) }
      : subcommand === 'queue'
        ? 'queue'
        : 'now';
  return {
    id: randomUUID(),
    owner: caller.id,
    server: caller.server?.id,
    zone: caller.zone,
    when,
    text: withLink(options.getString('text')?.trim() ?? '', options.getString('link')?.trim() ?? '', caller),
    accounts: namedAccounts(options.getString('accounts') ?? '', posting, caller.texts),
    tooLong: options.getString('long') === 'truncate' ? 'truncate' : 'thread',
    ...(warning !== undefined && { warning }),
    ...(offered && { offered }),
  };
}

function withLink(text: string, address: string, { texts }: Caller): string {
  if (address === '') return text;
  if (!/^https?:\/\/[^\s<>]+$/iu.test(address) || !URL.canParse(address)) throw new UserError(texts.posting.errors.noLink);
  return `${text} ${address}`.trim();
}

/** The accounts in a list with commas, each once; without names, the default accounts. */
function namedAccounts(typed: string, posting: Posting, texts: Texts): readonly string[] {
  const known = posting.accounts();
  if (known.length === 0) throw new UserError(texts.posting.errors.noAccount);
  const names = namesIn(typed).filter((name) => name !== '');
  if (names.length === 0) {
    const defaults = known.filter(({ isDefault }) => isDefault);
    return (defaults.length > 0 ? defaults : known).map(({ name }) => name);
  }
  return [...new Set(names.map((name) => accountNamed(name, posting, texts)))];
}

/** The name of an account as the configuration has it. Throws a {@link UserError} if there is none. */
export function accountNamed(wanted: string, posting: Posting, { posting: { errors } }: Texts): string {
  const known = posting.accounts();
  const account = known.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (account) return account.name;
  const all = known.map(({ name }) => name).join(', ');
  throw new UserError(errors.unknownAccount(escaped(wanted, 100), escaped(all, 1000)));
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

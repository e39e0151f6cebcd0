import type { Button } from '#src/clients/chat/buttons.ts';
import type { Layout } from '#src/clients/chat/layout.ts';
import type { EmbedDraft } from '#src/clients/chat/parameters.ts';
import { cardsOf, sendableCards } from '#src/clients/chat/sendable-cards.ts';
import { ValidationError } from '#src/errors.ts';
import { toWireComponents } from './wire/components.ts';

interface Draft {
  readonly content?: string | undefined;
  readonly embed?: EmbedDraft | undefined;
  readonly embeds?: readonly EmbedDraft[] | undefined;
  readonly layout?: Layout | undefined;
  readonly buttons?: readonly Button[] | undefined;
  readonly files?: readonly unknown[] | undefined;
  readonly mention?: readonly string[] | undefined;
}

const NOTHING = 'Discord shows no part of the message: the address of a picture or of a button needs a host with a dot, and has a limit';

/** Rejects a message of which Discord would show nothing, because it accepts no address in it. */
export function assertShown({ content = '', layout, files = [], buttons, mention = [], ...draft }: Draft): Promise<void> {
  const isShown = layout
    ? files.length > 0 || toWireComponents({ layout, buttons }).components?.length !== 0
    : content.trim() !== '' || files.length > 0 || cardsOf(draft).some(showsCard);
  return isShown || mention.length > 0
    ? Promise.resolve()
    : Promise.reject(new ValidationError(NOTHING, { path: layout ? 'layout' : 'embed' }));
}

/** A kept picture is uploaded, so its address does not count. */
function showsCard({ pictures, image, thumbnail, ...card }: EmbedDraft): boolean {
  if (pictures === 'keep' && (image || thumbnail)) return true;
  return sendableCards([{ ...card, image, thumbnail }]).length > 0;
}

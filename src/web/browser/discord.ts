import type { Language } from '../views/language.ts';
import type { SandboxDiscordData } from '../views/sandbox-discord.ts';
import { takeBotForm } from './discord/bot-form.ts';
import { takeComposer } from './discord/composer.ts';
import type { DiscordPage } from './discord/discord-page.ts';
import { takePresses } from './discord/presses.ts';
import { sender } from './discord/send.ts';
import { keepTextTimes } from './discord/text-times.ts';

/** Lets the reader use the bot in the simulated Discord. */
export function takeDiscord(data: { readonly value: unknown }, language: Language): void {
  const seenNow = () => (data.value as SandboxDiscordData).seen; // the data of this view
  const first = seenNow();
  if (!first) return;
  // A reader who loses the right keeps the first channel until the next document.
  const page: DiscordPage = { language, seen: () => seenNow() ?? first };
  const send = sender(page);
  takeComposer(page, send);
  takePresses(page, send);
  takeBotForm(send);
  keepTextTimes(language);
}

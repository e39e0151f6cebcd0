import type { ChatInputCommandInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { splitMessage } from './text/split-message.ts';

const PAUSE_MS = 1_000;

/** Shows a text while it is written: the reply grows, at most one change a second, and goes on in further messages. */
export async function replyWhileWritten(
  interaction: ChatInputCommandInteraction,
  pieces: AsyncIterable<string>,
  clock: Clock,
): Promise<void> {
  const shown: { readonly id: string; content: string }[] = [];
  let text = '';
  let freeAtMs = -Infinity;

  async function write(index: number, content: string): Promise<void> {
    if (freeAtMs > clock.nowMs()) await clock.sleep(freeAtMs - clock.nowMs());
    const message = shown[index];
    if (message) {
      await interaction.editReply({ message: message.id, content });
      message.content = content;
    } else {
      const { id } = index === 0 ? await interaction.editReply({ content }) : await interaction.followUp({ content });
      shown.push({ id, content });
    }
    freeAtMs = clock.nowMs() + PAUSE_MS;
  }

  async function show(): Promise<void> {
    for (const [index, content] of splitMessage(text).entries()) {
      if (shown[index]?.content !== content) await write(index, content);
    }
  }

  try {
    for await (const piece of pieces) {
      text += piece;
      if (freeAtMs <= clock.nowMs()) await show();
    }
  } finally {
    await show();
  }
  if (shown.length === 0) await interaction.editReply({ content: 'I have no answer to that.' });
}

import { Container } from '#src/paging/container.ts';
import type { Message } from './records.ts';

/** The messages of one channel. */
export class ChannelMessages extends Container<Message> {}

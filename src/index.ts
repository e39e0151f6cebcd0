export { Bot } from '#src/streaming/bot.ts';
export { memoryTranscripts } from '#src/assistant/memory-transcripts.ts';
export { Chat } from '#src/chat/chat.ts';
export { SocialAsync } from '#src/social/social.ts';
export * from '#src/errors.ts';
export type { ContainerPromise } from '#src/paging/container-promise.ts';

export { Bot } from '#src/clients/streaming/bot.ts';
export { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';
export { Chat } from '#src/clients/chat/chat.ts';
export { SocialAsync } from '#src/clients/social/social.ts';
export {
  ConfigError,
  CursorError,
  PlatformError,
  Postponed,
  Refused,
  UnsupportedOperation,
  UnsupportedParameter,
  UserError,
  ValidationError,
} from '#src/errors.ts';
export type {
  ConfigErrorOptions,
  Fault,
  ParameterPart,
  PlatformErrorOptions,
  UnsupportedOptions,
  UnsupportedParameterOptions,
  UnsupportedReason,
} from '#src/errors.ts';
export type { ContainerPromise } from '#src/clients/paging/container-promise.ts';

export { DURATION, parseDuration } from '#src/operation/duration.ts';

export { Bot } from './streaming/bot.ts';
export { SocialAsync } from './social/social.ts';
export * from './errors.ts';

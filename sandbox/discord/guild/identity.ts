/** Ids that are the same in every sandbox, so that a rule or a test may name them. */
export const GUILD_ID = '1202584131993600001';
/** Of the guild beside it, which belongs to another shard. */
export const SECOND_GUILD_ID = '1202584131997794305';
/** Of the application and of its bot user. */
export const APPLICATION_ID = '1202584131993600002';

/** What the bot logs in with. It opens nothing but a sandbox. */
export const BOT_TOKEN = `${Buffer.from(APPLICATION_ID).toString('base64url')}.fanfare.sandbox`;

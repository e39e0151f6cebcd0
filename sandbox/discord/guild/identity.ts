/** Ids are the same in every sandbox, so that rules and tests can use them. */
export const GUILD_ID = '1202584131993600001';
/** The second guild belongs to another shard. */
export const SECOND_GUILD_ID = '1202584131997794305';
/** The id of the application and of its bot user. */
export const APPLICATION_ID = '1202584131993600002';

/** The token of the bot. It works only in a sandbox. */
export const BOT_TOKEN = `${Buffer.from(APPLICATION_ID).toString('base64url')}.fanfare.sandbox`;

/** The name of a parameter in Fanfare. A parameter for an id or a record is named after the record. */
const RENAMED: Readonly<Record<string, string>> = {
  username: 'user',
  user_id: 'user',
  post_id: 'post',
  list_id: 'list',
  conversation_id: 'conversation',
  message_id: 'message',
  community_id: 'community',
  topic_id: 'topic',
  filter_: 'filter',
  pool: 'poll',
  reply_to_message_id: 'replyToMessage',
  quote_post_id: 'quotePost',
};

export function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, character: string) => character.toUpperCase());
}

/** Our name of a documented parameter. */
export function ours(parameter: string): string {
  return RENAMED[parameter] ?? camel(parameter);
}

/** The method that goes page by page. */
export function twinOf(name: string): string {
  return `iter${camel(name)
    .replace(/^get/, '')
    .replace(/^[a-z]/, (character) => character.toUpperCase())}`;
}

/** Some servers refuse a request without a `User-Agent`. */
export const USER_AGENT = 'Fanfare (self-hosted announcements)';

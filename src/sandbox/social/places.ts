import type { Place } from '#src/social/records/post.ts';

/** The places that a post can name. */
const places: readonly Place[] = [
  { id: 'berlin', name: 'Berlin', fullName: 'Berlin, Germany', country: 'Germany', countryCode: 'DE' },
  { id: 'lisbon', name: 'Lisbon', fullName: 'Lisbon, Portugal', country: 'Portugal', countryCode: 'PT' },
  { id: 'nairobi', name: 'Nairobi', fullName: 'Nairobi, Kenya', country: 'Kenya', countryCode: 'KE' },
  { id: 'sao-paulo', name: 'São Paulo', fullName: 'São Paulo, Brazil', country: 'Brazil', countryCode: 'BR' },
  { id: 'seoul', name: 'Seoul', fullName: 'Seoul, South Korea', country: 'South Korea', countryCode: 'KR' },
  { id: 'toronto', name: 'Toronto', fullName: 'Toronto, Canada', country: 'Canada', countryCode: 'CA' },
];

export function findPlace(id: string): Place | undefined {
  return places.find((place) => place.id === id);
}

/** Generates similar skills, which are identical in every run: one for each combination of a thing and an action. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly trigger_phrases?: readonly string[];
  readonly intent_patterns?: readonly string[];
}

/** Each thing, and the system that stores it. */
const THINGS: Readonly<Record<string, readonly [thing: string, place: string]>> = {
  invoice: ['invoice', 'the billing system'],
  'calendar-event': ['calendar event', 'the shared calendar'],
  'support-ticket': ['support ticket', 'the service desk'],
  'customer-record': ['customer record', 'the address book'],
  'purchase-order': ['purchase order', 'the buying system'],
  shipment: ['shipment', 'the delivery service'],
  'job-posting': ['job posting', 'the careers site'],
  subscription: ['subscription', 'the membership list'],
  timesheet: ['timesheet', 'the time clock'],
  'stock-item': ['stock item', 'the warehouse list'],
  'expense-claim': ['expense claim', 'the refund system'],
  survey: ['survey', 'the polling tool'],
};

const ACTIONS: Readonly<Record<string, (thing: string, place: string) => string>> = {
  create: (thing, place) => `Adds a new ${thing} to ${place} and asks for what is still missing.`,
  find: (thing, place) => `Looks in ${place} for a ${thing} by name, date or label and shows its state.`,
  update: (thing, place) => `Changes the details of a ${thing} in ${place} and keeps what it was before.`,
  delete: (thing, place) => `Removes a ${thing} from ${place} after one question, and can bring it back for a month.`,
  close: (thing, place) => `Marks a ${thing} in ${place} as finished and tells everybody who follows it.`,
  approve: (thing, place) => `Signs off a ${thing} in ${place} within the limits of the person who asks.`,
  remind: (thing, place) => `Sends a friendly note about a ${thing} in ${place} that nobody has dealt with.`,
  export: (thing, place) => `Saves every ${thing} of a span of time from ${place} as a table.`,
  summarise: (thing, place) => `Gives the state of a ${thing} in ${place} in a few sentences.`,
  compare: (thing, place) => `Shows how one ${thing} in ${place} differs from another, side by side.`,
};

export const similarSkills = (): readonly Described[] =>
  Object.entries(THINGS).flatMap(([key, [thing, place]]) =>
    Object.entries(ACTIONS).map(([action, describe]) => ({
      name: `${action}-${key}`,
      description: describe(thing, place),
    })),
  );

/** The model that a client's list is made for: its name, or the size of its context (docs/clients.md, "The model"). */
import { formatNumber } from '../../format-amounts.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { Client, ListingBudget } from './client.ts';
import { clients } from './clients.ts';

/**
 * The models of the user: the size of a context in tokens, or names, of which each client uses the first that it knows.
 * Undefined for the default model of each client.
 */
export type ModelChoice = number | readonly string[] | undefined;

/** The model that a client's list is made for. */
export interface ListModel {
  /** Undefined for the client's default model, and for a size without a name. */
  readonly name: string | undefined;
  readonly isDefault: boolean;
  /** The size of the context in tokens. */
  readonly context: number;
  /** The number of characters that count as one token. */
  readonly charactersPerToken: number;
}

/**
 * Returns the model that a client's list is made for; undefined if its budget does not depend on the model.
 *
 * @param choice the models of the user
 */
export function modelOf(client: Client, budget: ListingBudget, choice: ModelChoice): ListModel | undefined {
  const { percentOfContext, charactersPerToken = 1, defaultModel, ignoresContext } = budget;
  if (percentOfContext === undefined || !defaultModel) return undefined;
  const byDefault = {
    name: undefined,
    isDefault: true,
    context: defaultModel.context,
    charactersPerToken: defaultModel.charactersPerToken ?? charactersPerToken,
  };
  if (choice === undefined) return byDefault;
  if (typeof choice !== 'number') {
    const models = client.listing.models?.value ?? [];
    for (const name of choice) {
      const known = models.find((one) => plainName(one.name) === plainName(name));
      if (known) return { charactersPerToken, ...known, name, isDefault: false };
    }
    return byDefault;
  }
  if (ignoresContext) return byDefault;
  // A model with a smaller context than the default model counts as an older model.
  const isOlder = choice < defaultModel.context;
  const each = isOlder ? charactersPerToken : byDefault.charactersPerToken;
  return { name: undefined, isDefault: false, context: choice, charactersPerToken: each };
}

/** Returns a model's name without the date at its end, and with the same sign between numbers. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('.', '-')
    .replace(/-\d{8}$/, '');

/** The names of all models that a client knows, each once, sorted by name. */
export const MODEL_NAMES: readonly string[] = [
  ...new Set(clients.flatMap(({ listing }) => (listing.models?.value ?? []).map(({ name }) => name))),
].sort();

/** Returns the contexts that clients count for a model in words, for completion. */
export const contextsOf = (name: string): string =>
  clients
    .flatMap(({ name: client, listing }) => {
      const model = listing.models?.value.find((one) => one.name === name);
      return model ? [`${formatNumber(model.context)} tokens in ${client}`] : [];
    })
    .join(', ')
    .concat('.');

const KNOWN: ReadonlySet<string> = new Set(MODEL_NAMES);

/** Returns whether a client knows a model of this name. */
export const isKnownModel = (name: string): boolean => KNOWN.has(name);

/** Returns the problem with an unknown model, in two sentences, for settings and options. */
export const unknownModel = (name: string): string =>
  `Unknown model \`${name}\`.${didYouMean(nearestNames(name, MODEL_NAMES)) || ' Write the size of its context in tokens as a number, for example `200000`.'}`;

/**
 * Returns the models in a value of a setting, without unknown names; undefined if no model is left.
 *
 * @param value a size in tokens, a name, or a list of names
 */
export function modelChoice(value: unknown): ModelChoice {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 ? value : undefined;
  const names = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' && isKnownModel(one));
  return names.length > 0 ? names : undefined;
}

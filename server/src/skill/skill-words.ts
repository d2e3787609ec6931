/** What a skill says of when it is to be chosen (docs/matching.md), without places: an edit of the body leaves it as it was. */
import { findEntry, listItems, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { findSkillEntry, itemsOf, namedOf, namesOf, type SkillContract } from './contract.ts';
import type { SkillPackage } from './package.ts';
import { same } from './same.ts';

export interface SkillWords {
  readonly description: string;
  readonly whenToUse: string;
  readonly tags: readonly string[];
  readonly triggerPhrases: readonly string[];
  readonly intentPatterns: readonly string[];
  readonly allowedContexts: readonly string[];
  readonly capabilities: readonly { readonly kind: 'feature_flag' | 'tier'; readonly value: string }[];
}

/** Gives `before` where nothing of it has changed, so that the same object shows at once that nothing did. */
export function readSkillWords(root: YamlNode | undefined, contract: SkillContract, before?: SkillWords): SkillWords {
  const value = (key: string) => findSkillEntry(root, key)?.value;
  const texts = (key: string) => namesOf(value(key)).map(({ name }) => name);
  const words: SkillWords = {
    description: contract.description?.name ?? '',
    whenToUse: stringOf(value('when_to_use')) ?? '',
    tags: texts('tags'),
    triggerPhrases: texts('trigger_phrases'),
    intentPatterns: texts('intent_patterns'),
    allowedContexts: itemsOf(value('allowed_contexts'), '').map(([{ name }]) => name),
    capabilities: readCapabilities(value('capabilities_required')).map(({ kind, value }) => ({ kind, value })),
  };
  return before && same(words, before) ? before : words;
}

/** What is no flag and no tier is left out; rules report it. */
export const readCapabilities = (node: YamlNode | undefined): SkillPackage['capabilitiesRequired'] =>
  listItems(node).flatMap((item) =>
    (['feature_flag', 'tier'] as const).flatMap((kind) => {
      const entry = findEntry(item, kind);
      const value = namedOf(entry?.value);
      return entry && value ? [{ kind, value: value.name, span: entry.span }] : [];
    }),
  );

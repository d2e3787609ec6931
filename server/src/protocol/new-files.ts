/** The first texts of a new skill and of a new catalog: the params and replies. */

export interface NewSkillParams {
  readonly kind: 'literal' | 'template' | 'staged' | 'composite' | 'workflow' | 'contract' | 'agent-skill';
  /** Words that are no name become one: `Release Notes` gives `release-notes`. */
  readonly name: string;
  /** The URIs of the skills that a composite or a workflow is made of. */
  readonly composes?: readonly string[];
  /** Without one, a sentence is made from the name. */
  readonly description?: string;
}
/** A file to be, or what is wrong with the name or the description. */
export type NewSkillResult =
  | {
      readonly name: string;
      /** Relative to the folder that is to hold the skill, with `/`. */
      readonly fileName: string;
      readonly text: string;
      /** Where the description stands in the text, in UTF-16 units. */
      readonly description: { readonly start: number; readonly end: number };
    }
  | { readonly problem: string };

export interface NewCatalogParams {
  /** The folder's URI. */
  readonly folder: string;
}
export interface NewCatalogReply {
  readonly fileName: string;
  readonly text: string;
  /** How many tools are in it, all named by skills. */
  readonly tools: number;
}

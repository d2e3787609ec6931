/** The kinds of symbols in a skill file; `symbol.ts` finds the symbol at an offset. */
import type { Scopes, Variable } from '../../languages/minijinja/scope-model.ts';
import type { Schema } from '../../languages/schema/schema.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import type { PlainReference } from '../../skill/body.ts';
import type { Span } from '../../text.ts';
import type { Domain, KeySpec } from '../../vocabulary/shape.ts';

/** The owner of the schema that contains a field. */
export type FieldOwner =
  | { readonly kind: 'self'; readonly side: 'input' | 'output' }
  | { readonly kind: 'skill'; readonly name: string; readonly side: 'input' | 'output' }
  /** The output of a tool or a service. */
  | { readonly kind: 'tool'; readonly name: string }
  /** Any other schema in the file, such as the schema of a tool in the catalog, or of an assertion. */
  | {
      readonly kind: 'schema';
      readonly schema: Schema;
      /** True if the schema describes an output of the skill, which the output schema describes, too. */
      readonly isOfOutput: boolean;
    };

export type SkillSymbol =
  /** A key of a vocabulary. */
  | { readonly kind: 'key'; readonly span: Span; readonly key: KeySpec; readonly value: YamlNode | undefined }
  /** A key that only some clients of the Agent Skills standard support. */
  | { readonly kind: 'client-key'; readonly span: Span; readonly name: string }
  /** A name whose domain comes from a vocabulary or a reference; `span` covers only the name. */
  | {
      readonly kind: 'name';
      readonly span: Span;
      readonly domain: Domain | 'artifact' | 'agent';
      readonly name: string;
      /** Present if this is a reference only when the workspace has a matching skill. */
      readonly plain?: PlainReference;
      /** True for the `id` of a skill that also has a name. */
      readonly isId?: true;
    }
  /** One of the allowed values of a key. */
  | { readonly kind: 'choice'; readonly span: Span; readonly value: string; readonly docs: string }
  /** A declaration or a use of a schema field; `path` contains the field names from the root of the schema. */
  | {
      readonly kind: 'field';
      readonly span: Span;
      /** The span of only the name, if `span` contains more. */
      readonly nameSpan?: Span;
      readonly owner: FieldOwner;
      readonly path: readonly string[];
    }
  /** A shorthand type, a key of a field, or a JSON Schema keyword. */
  | { readonly kind: 'type' | 'schema-key'; readonly span: Span; readonly name: string }
  /** A rule of this program, in the catalog or in a suppression comment. */
  | { readonly kind: 'rule'; readonly span: Span; readonly name: string }
  /** The kind of an artifact in its heading, including retired kinds. */
  | { readonly kind: 'artifact-kind'; readonly span: Span; readonly name: string }
  /** A name that is not a parameter, in a template or a condition, with the path after it up to the cursor. */
  | {
      readonly kind: 'variable';
      readonly span: Span;
      readonly name: string;
      readonly path: readonly { readonly kind: 'attribute' | 'item' | 'index'; readonly name: string }[];
      /** Undefined for names that the composer defines. */
      readonly variable: Variable | undefined;
      readonly scopes: Scopes;
      readonly place: 'template' | 'condition';
    }
  | { readonly kind: 'filter' | 'test' | 'function' | 'loop-field'; readonly span: Span; readonly name: string };

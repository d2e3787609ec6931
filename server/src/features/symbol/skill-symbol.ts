/** The symbols that can stand at a place of a skill; `symbol.ts` finds the one that does. */
import type { Scopes, Variable } from '../../languages/minijinja/scope-model.ts';
import type { Schema } from '../../languages/schema/schema.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import type { PlainReference } from '../../skill/body.ts';
import type { Span } from '../../text.ts';
import type { Domain, KeySpec } from '../../vocabulary/shape.ts';

/** Whose schema a field is in. */
export type FieldOwner =
  | { readonly kind: 'self'; readonly side: 'input' | 'output' }
  | { readonly kind: 'skill'; readonly name: string; readonly side: 'input' | 'output' }
  /** Any other schema of the file: a tool's in the catalog, an assertion's. */
  | { readonly kind: 'schema'; readonly schema: Schema };

export type SkillSymbol =
  /** A key of a vocabulary. */
  | { readonly kind: 'key'; readonly span: Span; readonly key: KeySpec; readonly value: YamlNode | undefined }
  /** A key that only some clients of the Agent Skills standard know. */
  | { readonly kind: 'client-key'; readonly span: Span; readonly name: string }
  /** A name whose domain a vocabulary or a reference gives; `span` is the name alone. */
  | {
      readonly kind: 'name';
      readonly span: Span;
      readonly domain: Domain | 'artifact';
      readonly name: string;
      /** Where it names something only if the workspace has a skill that is meant. */
      readonly plain?: PlainReference;
    }
  /** One of the values that a key can have. */
  | { readonly kind: 'choice'; readonly span: Span; readonly value: string; readonly docs: string }
  /** A field of a schema, where it is declared or used; `path` holds the names that lead to it. */
  | {
      readonly kind: 'field';
      readonly span: Span;
      /** The name alone, where `span` holds more than it. */
      readonly nameSpan?: Span;
      readonly owner: FieldOwner;
      readonly path: readonly string[];
    }
  /** A type of the shorthand, a key of a field, a keyword of JSON Schema. */
  | { readonly kind: 'type' | 'schema-key'; readonly span: Span; readonly name: string }
  /** A rule of this program, in the catalog or in a suppression comment. */
  | { readonly kind: 'rule'; readonly span: Span; readonly name: string }
  /** The kind of an artifact in its heading, also a retired one. */
  | { readonly kind: 'artifact-kind'; readonly span: Span; readonly name: string }
  /** In a template or a condition: a name that is no parameter, with the path behind it up to the cursor. */
  | {
      readonly kind: 'variable';
      readonly span: Span;
      readonly name: string;
      readonly path: readonly { readonly kind: 'attribute' | 'item' | 'index'; readonly name: string }[];
      /** Undefined for what the composer defines. */
      readonly variable: Variable | undefined;
      readonly scopes: Scopes;
      readonly place: 'template' | 'condition';
    }
  | { readonly kind: 'filter' | 'test' | 'function' | 'loop-field'; readonly span: Span; readonly name: string };

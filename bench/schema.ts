/** A JSON Schema for frontmatter, as a user would write it for the peers that check frontmatter with a schema. */
const strings = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const object = {
  type: 'object',
  required: ['type', 'properties'],
  properties: {
    type: { const: 'object' },
    required: strings,
    properties: { type: 'object', additionalProperties: { type: 'object', required: ['type'] } },
  },
};

export const FRONTMATTER_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['name', 'description', 'version', 'level', 'tools', 'input_schema', 'output_schema'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 },
    description: { type: 'string', minLength: 1, maxLength: 1024 },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    author: { type: 'string' },
    owner: { type: 'string' },
    license: { enum: ['MIT', 'Apache-2.0', 'BSD-3-Clause'] },
    level: { type: 'integer', minimum: 1, maximum: 3 },
    required_scopes: strings,
    allowed_roles: strings,
    tools: { ...strings, minItems: 1 },
    composes: strings,
    requires: { type: 'array', items: { type: 'object', required: ['skill', 'version'] } },
    effects: { type: 'array', items: { enum: ['Query', 'Mutate', 'Network', 'Fail'] } },
    operation: { enum: ['TRANSFORM', 'READ', 'WRITE'] },
    input_schema: object,
    output_schema: object,
  },
};

import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/", "public/", "test-results/"] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: true }],
      "@typescript-eslint/prefer-nullish-coalescing": "error",
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
    },
  },
  { files: ["*.js", "e2e/*.mjs"], extends: [tseslint.configs.disableTypeChecked] },
  { files: ["src/engine/types.ts"], rules: { "max-lines": "off" } },
);

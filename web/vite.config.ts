// One script and one style, which the Rust side puts into each page.
import { defineConfig } from "vite";

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    target: "es2022",
    outDir: "dist",
    cssCodeSplit: false,
    reportCompressedSize: false,
    lib: {
      entry: "src/main.tsx",
      formats: ["iife"],
      name: "everypath",
      fileName: () => "report.js",
      cssFileName: "report",
    },
  },
});

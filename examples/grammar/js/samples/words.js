var words = ["every", "path"];
var text = "";
for (i = 0; i < length(words); i = i + 1) {
    if (words[i] == null)
        continue;
    text = text + words[i];
    if (length(text) > 100)
        break;
}
words[4] = typeof text;
print(text, words, -7 % 4, !text || text == "everypath" && 7 >= 3);

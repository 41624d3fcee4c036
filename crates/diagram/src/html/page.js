// The arrow keys go from position to position.
addEventListener("keydown", function (event) {
  var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  var last = document.querySelectorAll("figure").length - 1;
  var now = /^#p\d+$/.test(location.hash) ? +location.hash.slice(2) + step : 0;
  location.hash = "p" + Math.min(Math.max(now, 0), last);
  event.preventDefault();
});

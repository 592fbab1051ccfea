module checkline.example/go

go 1.19
